import { CriteriaError, type Ending, type EvalCase, type Tools, type Unit } from '@agent-criteria/core';
import {
  type Caller,
  type CallPolicies,
  type CaseResult,
  endedBadly,
  type Plan,
  stringifyJson,
  summariseCase,
  type UnitScores,
} from '@agent-criteria/core/host';
import type { RunInference } from '@agent-criteria/results';
import pLimit from 'p-limit';
import { withOwnSignal } from './abort.ts';
import { limitCalls } from './limit-calls.ts';
import { scoreOne } from './score-one.ts';
import { checkPositive } from './settings.ts';

export interface ScoreOptions {
  readonly plan: Plan;
  /** Today's or yesterday's; found by case id and repeat, in any order. */
  readonly inferences: readonly RunInference[];
  /** How many calls to models and paid services run at once. Default 16. */
  readonly concurrency?: number | undefined;
  /** What stands before models and paid services, in place of `concurrency`. Default: nothing else. */
  readonly policies?: CallPolicies | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Scores recorded inferences by the criteria of a plan: one result for each case of its eval set, in that order. A case
 * without an inference is an error in its result, and so is one that an abort kept from being scored. The agent is not run.
 *
 * @throws CriteriaError USAGE for two inferences of one unit: they would count as repeats.
 */
export async function score(options: ScoreOptions): Promise<CaseResult[]> {
  const { plan, concurrency = 16, policies } = options;
  checkPositive({ concurrency });
  const limit = pLimit(concurrency);
  const tools = (plain: Tools, caller: Caller): Tools => policies?.apply(plain, caller) ?? limitCalls(plain, limit);
  // Units are many and mostly idle while they wait for calls; this only bounds memory.
  const units = pLimit(concurrency);
  const byCase = groupByCase(options.inferences, plan.evalSet.evalSetId);
  return withOwnSignal(options.signal, (signal) => {
    const scoreCase = async (evalCase: EvalCase) => {
      const recorded = byCase.get(evalCase.evalId) ?? [];
      const scores = recorded.map((one) => units(() => unitScores(plan, evalCase, one, tools, signal)));
      return summariseCase(plan, evalCase, await Promise.all(scores));
    };
    return Promise.all(plan.evalSet.evalCases.map(scoreCase));
  });
}

/** The inferences of a set by case, in the order of their repeats. */
function groupByCase(inferences: readonly RunInference[], setId: string): ReadonlyMap<string, readonly RunInference[]> {
  const byCase = new Map<string, RunInference[]>();
  const seen = new Set<string>();
  for (const [index, inference] of inferences.entries()) {
    checkShape(inference, index);
    const { caseId, repeat } = inference.key;
    if (inference.key.setId !== setId) continue;
    const unit = stringifyJson([caseId, repeat]);
    if (seen.has(unit)) {
      const message = `there are two inferences of the case "${caseId}", repeat ${repeat}; score the runs one after the other`;
      throw new CriteriaError({ code: 'USAGE', message });
    }
    seen.add(unit);
    const list = byCase.get(caseId) ?? [];
    list.push(inference);
    byCase.set(caseId, list);
  }
  for (const list of byCase.values()) list.sort((a, b) => a.key.repeat - b.key.repeat);
  return byCase;
}

/** They may come from a file that anybody has written. */
function checkShape({ key, inference }: RunInference, index: number): void {
  const { setId, caseId, repeat } = key ?? {};
  const hasKey = typeof setId === 'string' && typeof caseId === 'string' && Number.isInteger(repeat);
  if (hasKey && Array.isArray(inference?.invocations) && typeof inference.ending?.by === 'string') return;
  throw new CriteriaError({
    code: 'INVALID_DATA',
    path: `$[${index}]`,
    message: 'this is no inference: give { key: { setId, caseId, repeat }, inference: { invocations, ending, … } }',
  });
}

async function unitScores(
  plan: Plan,
  evalCase: EvalCase,
  { key, inference }: RunInference,
  tools: (plain: Tools, caller: Caller) => Tools,
  signal: AbortSignal,
): Promise<UnitScores> {
  const unit: Unit = { setId: key.setId, case: evalCase, repeat: key.repeat };
  const scores = await scoreOne(plan, unit, inference, signal, ({ criterion: by, turn }, plain) =>
    tools(plain, { role: 'criterion', key, by, turn }),
  );
  if (scores !== null) return scores;
  const unscored: Ending = { by: 'abort', reason: 'the run was aborted before this case was scored' };
  const ending = endedBadly(inference.ending) ? inference.ending : unscored;
  return { key, sessionId: inference.sessionId, ending, criteria: [] };
}
