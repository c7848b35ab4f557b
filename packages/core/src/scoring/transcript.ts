import { type EvalCase, isObject, type Rubric } from '@agent-criteria/formats';
import { historyLength, turnsWithoutStatedCalls } from '@agent-criteria/formats/parse';
import type { Criterion } from '../contracts/criterion.ts';
import type { Inference, Transcript, Turn, Unit } from '../contracts/transcript.ts';
import { counted } from '../counted.ts';

/** Builds the transcript of a unit, with the rubrics of `criterion`. The transcript and its turns are frozen. */
export function buildTranscript(criterion: Criterion, options: unknown, unit: Unit, inference: Inference): Transcript {
  const shared = sharedRubrics(criterion, options, unit.case);
  const type = criterion.needs?.rubrics?.type;
  const history = historyLength(unit.case);
  const notStated = turnsWithoutStatedCalls(unit.case);
  const turns = inference.invocations.map((actual, index): Turn => {
    const expected = unit.case.conversation?.[index] ?? null;
    if (index < history) return Object.freeze({ index, actual, expected, isHistory: true, rubrics: [] });
    const own = type === undefined ? [] : ofType(expected?.rubrics, type);
    const rubrics = own.length === 0 ? shared : [...shared, ...own];
    const marks = notStated.has(index) ? { callsNotStated: true } : {};
    return Object.freeze({ index, actual, expected, ...marks, rubrics });
  });
  return Object.freeze({ unit, inference, turns: Object.freeze(turns), rubrics: shared });
}

/** Lists the criterion's own rubrics, of any type, then the case's rubrics of the criterion's type. */
function sharedRubrics(criterion: Criterion, options: unknown, evalCase: EvalCase): readonly Rubric[] {
  const type = criterion.needs?.rubrics?.type;
  if (type === undefined) return [];
  return [...ownRubrics(options), ...ofType(evalCase.rubrics, type)];
}

/**
 * Lists the rubrics that a criterion judges in a case: one list per expected turn, or a single one for a conversation,
 * with the rubrics of its last turn, as in ADK.
 */
export function judgedRubrics(
  criterion: Criterion,
  options: unknown,
  evalCase: EvalCase,
): readonly (readonly Rubric[])[] {
  const type = criterion.needs?.rubrics?.type;
  if (type === undefined) return [];
  const shared = sharedRubrics(criterion, options, evalCase);
  const judged = (evalCase.conversation ?? []).slice(historyLength(evalCase));
  const turns = judged.map((turn) => [...shared, ...ofType(turn.rubrics, type)]);
  return criterion.scope === 'conversation' || turns.length === 0 ? [turns.at(-1) ?? shared] : turns;
}

/** Reads the `rubrics` option, which the criterion's schema has validated. */
function ownRubrics(options: unknown): readonly Rubric[] {
  return isObject(options) && Array.isArray(options.rubrics) ? (options.rubrics as readonly Rubric[]) : [];
}

/** Selects the rubrics of a type. A rubric without a type is never judged, as in ADK. */
function ofType(rubrics: readonly Rubric[] | null | undefined, type: string): readonly Rubric[] {
  return rubrics?.filter((rubric) => rubric.type === type) ?? [];
}

/**
 * Returns the reason why a fixed conversation cannot be compared with its reference turn by turn, or `null` if it can.
 */
export function lengthMismatch(evalCase: EvalCase, inference: Inference): string | null {
  if (!evalCase.conversation) return null;
  const expected = evalCase.conversation.length;
  const actual = inference.invocations.length;
  return actual === expected
    ? null
    : `the inference has ${counted(actual, 'turn')}, but the case has ${counted(expected, 'turn')}`;
}
