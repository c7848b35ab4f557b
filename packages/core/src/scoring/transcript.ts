import { type EvalCase, isObject, type Rubric } from '@agent-criteria/formats';
import { historyLength, turnsWithoutStatedCalls } from '@agent-criteria/formats/parse';
import type { Criterion } from '../contracts/criterion.ts';
import type { Inference, Transcript, Turn, Unit } from '../contracts/transcript.ts';
import { counted } from '../counted.ts';

/** A unit's inference beside its reference, with the rubrics that `criterion` has to judge. Frozen as far as it is made here. */
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

/** The criterion's own rubrics, whatever their type, then those of the case that have its type. */
function sharedRubrics(criterion: Criterion, options: unknown, evalCase: EvalCase): readonly Rubric[] {
  const type = criterion.needs?.rubrics?.type;
  if (type === undefined) return [];
  return [...ownRubrics(options), ...ofType(evalCase.rubrics, type)];
}

/**
 * What rubrics a criterion has to judge of a case: one list for each expected turn, or a single one for a conversation,
 * whose own are, as in ADK, those of its last turn.
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

/** The `rubrics` option of a criterion, which its own schema has validated. */
function ownRubrics(options: unknown): readonly Rubric[] {
  return isObject(options) && Array.isArray(options.rubrics) ? (options.rubrics as readonly Rubric[]) : [];
}

/** The rubrics of exactly this type; one without a type belongs to no criterion, as in ADK. */
function ofType(rubrics: readonly Rubric[] | null | undefined, type: string): readonly Rubric[] {
  return rubrics?.filter((rubric) => rubric.type === type) ?? [];
}

/** Why a fixed conversation cannot be laid beside its reference, or `null` when it can. */
export function lengthMismatch(evalCase: EvalCase, inference: Inference): string | null {
  if (!evalCase.conversation) return null;
  const expected = evalCase.conversation.length;
  const actual = inference.invocations.length;
  return actual === expected
    ? null
    : `the inference has ${counted(actual, 'turn')}, but the case has ${counted(expected, 'turn')}`;
}
