import { type CaseResult, type Ending, type Plan, scoreUnit, summariseCase, type Tools, type Unit, type UnitScores } from '@agent-criteria/core';
import pLimit, { type LimitFunction } from 'p-limit';
import type { UnitInference } from './generate.ts';
import { checkPositive } from './settings.ts';

export interface ScoreOptions {
  readonly plan: Plan;
  /** Today's or yesterday's; found by case id and repeat, in any order. */
  readonly inferences: readonly UnitInference[];
  /** How many calls to models and paid services run at once. Default 16. */
  readonly concurrency?: number;
  readonly signal?: AbortSignal;
}

/**
 * Scores recorded inferences by the criteria of a plan: one result for each case of its eval set, in that order. A case
 * without an inference is an error in its result, and so is one that an abort kept from being scored. The agent is not run.
 */
export async function score(options: ScoreOptions): Promise<CaseResult[]> {
  const { plan, concurrency = 16 } = options;
  checkPositive({ concurrency });
  const signal = options.signal ?? new AbortController().signal;
  const calls = pLimit(concurrency);
  // Units are many and mostly idle while they wait for calls; this only bounds memory.
  const units = pLimit(concurrency);
  const byCase = new Map<string, UnitInference[]>();
  for (const inference of options.inferences) {
    if (inference.key.setId !== plan.evalSet.evalSetId) continue;
    const list = byCase.get(inference.key.caseId);
    if (list) list.push(inference);
    else byCase.set(inference.key.caseId, [inference]);
  }
  return Promise.all(
    plan.evalSet.evalCases.map(async (evalCase) => {
      const recorded = (byCase.get(evalCase.evalId) ?? []).toSorted((a, b) => a.key.repeat - b.key.repeat);
      const scores: UnitScores[] = await Promise.all(
        recorded.map(({ key, inference }) =>
          units(async () => {
            const unit: Unit = { setId: key.setId, case: evalCase, repeat: key.repeat };
            try {
              return await scoreUnit(plan, unit, inference, { signal, tools: (_bound, plain) => limited(plain, calls) });
            } catch (error) {
              if (!signal.aborted) throw error;
              const ending: Ending = { by: 'abort', reason: 'the run was aborted before this case was scored' };
              return { key, sessionId: inference.sessionId, ending, criteria: [] };
            }
          }),
        ),
      );
      return summariseCase(plan, evalCase, scores);
    }),
  );
}

/** The same tools, with at most so many calls at once. */
function limited(tools: Tools, limit: LimitFunction): Tools {
  return {
    ...tools,
    model(name) {
      const model = tools.model(name);
      return { id: model.id, generate: (request, signal) => limit(() => model.generate(request, signal)) };
    },
    call: (ask, send) => limit(() => tools.call(ask, send)),
  };
}
