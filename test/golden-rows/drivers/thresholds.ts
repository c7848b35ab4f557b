import { CriteriaError } from '@agent-criteria/core';
import { createRegistry, resolveEvalConfig } from '@agent-criteria/core/host';
import { evalSet } from '@agent-criteria/core/testing';
import { finalResponseMatch } from '@agent-criteria/criteria-llm-judge/pure';
import { responseMatch } from '@agent-criteria/criteria-rouge/pure';
import { asScore, type Status } from '../as-lines-say.ts';
import { areaDriver, type Driver, functionDriver } from '../driver.ts';
import type { Held } from '../held.ts';
import { givingScores, heldConversation, refusalOf, throughCore, turnsOf } from '../through-core.ts';

// The comparison of a number with a threshold, and the source of the threshold.

interface Compared {
  readonly score: number | null;
  readonly threshold: number;
}

async function hold({ score, threshold }: Compared, status: Status): Promise<readonly Held[]> {
  // ADK has no ranges.
  const criterion = givingScores(finalResponseMatch, [asScore(score)], { min: -1, max: 2, better: 'higher' });
  const conversation = { turns: [score], threshold, adk: { mean: 'sum', missing: 'dropped' }, best: 2 } as const;
  const held = await heldConversation(conversation, { score, status }, async (compat) => {
    return (await throughCore({ criterion, ...turnsOf(1), threshold, compat })).criterion;
  });
  const { evalCase } = turnsOf(1);
  const ours = refusalOf({ criterion: finalResponseMatch, evalCase, threshold, compat: null });
  if (ours === null) return [held];
  return [held, { adk: 'evaluated', ours, lines: ['thresholds'], expected: 'INVALID_THRESHOLD' }];
}

interface Source {
  readonly metricThreshold: number | null;
  readonly criterionThreshold: number | null;
}

/** Returns the threshold of a config entry: a number, as in ADK's older files, or an object. */
function thresholdOf({ metricThreshold, criterionThreshold }: Source): unknown {
  const entry = metricThreshold ?? (criterionThreshold === null ? {} : { threshold: criterionThreshold });
  try {
    const plan = resolveEvalConfig({
      evalSet: evalSet([turnsOf(1).evalCase]),
      config: { criteria: { [responseMatch.name]: entry } },
      registry: createRegistry([responseMatch]),
    });
    return plan.criteria[0]?.threshold;
  } catch (error) {
    if (!CriteriaError.is(error)) throw error;
    return { error: error.code === 'INVALID_THRESHOLD' ? 'threshold required' : error.message };
  }
}

export const thresholdDrivers: readonly Driver[] = [
  functionDriver<Compared, Status>('llm_as_judge_utils.get_eval_status', ({ input, output }) => hold(input, output)),
  areaDriver<Compared, Status>('status.threshold', ({ input, expected }) => hold(input, expected)),
  areaDriver<Source, unknown>('status.thresholdSource', ({ input, expected }) => ({
    adk: expected,
    ours: thresholdOf(input),
  })),
];
