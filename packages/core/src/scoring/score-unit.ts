import { CriteriaError, toErrorInfo } from '@agent-criteria/formats';
import type { Criterion, EvaluateContext } from '../contracts/criterion.ts';
import type { Score } from '../contracts/score.ts';
import type { Tools } from '../contracts/tools.ts';
import type { Ending, Inference, Turn, Unit, UnitKey } from '../contracts/transcript.ts';
import { optionsFor, type Plan, type PlannedCriterion } from '../resolve/plan.ts';
import { callEvaluate } from './call-evaluate.ts';
import { couldNotJudge } from './could-not-judge.ts';
import { directTools } from './direct-tools.ts';
import { frozenCopy, frozenInPlace, withFrozenHint } from './frozen-copy.ts';
import { sanitiseScore } from './sanitise-score.ts';
import { buildTranscript, lengthMismatch } from './transcript.ts';
import { noneUnreadable, unreadableTurns } from './unreadable-turns.ts';

/** The scores that all criteria of a plan gave to one unit. Plain JSON. */
export interface UnitScores {
  readonly key: UnitKey;
  readonly sessionId: string;
  readonly ending: Ending;
  /** In the order of the plan; empty if the inference ended in an error or abort. */
  readonly criteria: readonly CriterionScores[];
}

export interface CriterionScores {
  readonly name: string;
  readonly scope: 'turn' | 'conversation';
  /** Whether it is measured in every run without being in the config. Default `false`. */
  readonly byDefault?: boolean | undefined;
  /** One for each turn, or a single one for a conversation. */
  readonly scores: readonly Score[];
}

/** The caller to which tools are bound. */
export interface ToolsFor {
  readonly unit: Unit;
  readonly criterion: string;
  /** From 0; `null` for a whole conversation. */
  readonly turn: number | null;
}

export interface ScoreUnitOptions {
  readonly signal?: AbortSignal | undefined;
  /** Adds cache, limits and records to calls to models and services. Default: calls are made directly. */
  readonly tools?: ((bound: ToolsFor, plain: Tools) => Tools) | undefined;
  /** Whether the inference may be frozen in place instead of copied. Default `false`. */
  readonly isOwn?: boolean | undefined;
}

/**
 * Scores one inference. Criteria run one after another, and all turns of a criterion at once; `tools` can limit the
 * calls. If a criterion throws, that turn is could-not-judge. Rejects only if `signal` aborts.
 */
export async function scoreUnit(
  plan: Plan,
  unit: Unit,
  inference: Inference,
  options: ScoreUnitOptions = {},
): Promise<UnitScores> {
  const signal = options.signal ?? new AbortController().signal;
  const criteria: CriterionScores[] = [];
  if (!endedInError(inference.ending)) {
    const given = givenTo(unit, inference, options.isOwn === true);
    for (const planned of plan.criteria) {
      signal.throwIfAborted();
      const tools = (turn: number | null): Tools => {
        const plain = directTools(plan, signal);
        return options.tools?.({ unit, criterion: planned.name, turn }, plain) ?? plain;
      };
      const scores = await scoreCriterion(planned, given, tools, signal, plan.compat);
      // A criterion may have turned the abort into a score.
      signal.throwIfAborted();
      const byDefault = planned.byDefault === true ? { byDefault: true } : {};
      criteria.push({ name: planned.name, scope: planned.criterion.scope, ...byDefault, scores });
    }
  }
  const { setId, repeat, variant } = unit;
  const caseId = unit.case.evalId;
  const key: UnitKey = variant === undefined ? { setId, caseId, repeat } : { setId, caseId, repeat, variant };
  return { key, sessionId: inference.sessionId, ending: inference.ending, criteria };
}

/** The input shared by all criteria of a unit. */
interface Given {
  readonly unit: Unit;
  readonly inference: Inference;
  /** Why it cannot be scored, or `null` if it can. */
  readonly problem: string | null;
}

/** Copies the input, because callers may change theirs, and freezes it, because several criteria read it. */
function givenTo(unit: Unit, inference: Inference, isOwn: boolean): Given {
  try {
    const problem = lengthMismatch(unit.case, inference);
    return { unit: frozenCopy(unit), inference: isOwn ? frozenInPlace(inference) : frozenCopy(inference), problem };
  } catch (error) {
    const problem = `the case and its inference cannot be copied: ${toErrorInfo(error).message}`;
    return { unit, inference, problem };
  }
}

/** Whether an inference ended in an error or abort, so that it is never scored. */
export function endedInError(ending: Ending): boolean {
  return ending.by === 'error' || ending.by === 'abort';
}

async function scoreCriterion(
  planned: PlannedCriterion,
  { unit, inference, problem }: Given,
  tools: (turn: number | null) => Tools,
  signal: AbortSignal,
  compat: 'adk' | null,
): Promise<readonly Score[]> {
  const { criterion } = planned;
  const inapplicable = planned.inapplicable.get(unit.case.evalId);
  const turnCount = Math.max(inference.invocations.length, unit.case.conversation?.length ?? 0);
  const count = criterion.scope === 'turn' ? turnCount : Math.min(turnCount, 1);
  if (inapplicable !== undefined) {
    return Array.from(
      { length: count },
      (): Score => ({ value: null, missing: 'not-applicable', reason: inapplicable }),
    );
  }
  if (problem !== null) return Array.from({ length: count }, () => couldNotJudge(problem));
  if (inference.invocations.length === 0) return [];

  const options = optionsFor(planned, unit.case.evalId);
  const transcript = buildTranscript(criterion, options, unit, inference);
  const unreadable = compat === 'adk' ? noneUnreadable : unreadableTurns(criterion, transcript);
  if (criterion.scope === 'conversation') {
    const [first] = unreadable.values();
    if (first !== undefined) return [couldNotJudge(first)];
    return [await evaluated(criterion, null, { options, tools: tools(null), transcript }, signal)];
  }
  return Promise.all(
    transcript.turns.map((turn) => {
      if (turn.isHistory === true) return ofHistory(inference);
      const reason = unreadable.get(turn.index);
      if (reason !== undefined) return couldNotJudge(reason);
      return evaluated(criterion, turn, { options, tools: tools(turn.index), transcript }, signal);
    }),
  );
}

function ofHistory({ history }: Inference): Score {
  const why = history === 'replayed' ? ', and was sent again because the agent takes no history' : '';
  return { value: null, missing: 'not-applicable', reason: `the turn is history${why}: it is not judged` };
}

async function evaluated(
  criterion: Criterion,
  turn: Turn | null,
  context: EvaluateContext<unknown>,
  signal: AbortSignal,
): Promise<Score> {
  try {
    return sanitiseScore(await callEvaluate(criterion, turn, context), criterion.range);
  } catch (error) {
    // Only the run's own abort propagates; a time-out inside the criterion is could-not-judge.
    signal.throwIfAborted();
    return couldNotJudge(
      CriteriaError.is(error) ? withFrozenHint(error) : `the criterion threw: ${withFrozenHint(error)}`,
    );
  }
}
