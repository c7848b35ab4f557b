import type { PreparedRun } from '@agent-criteria/project';
import { estimateCalls } from '@agent-criteria/project/plan';
import type { RunEstimate } from '../api.ts';

/** Estimates the model calls of a run, for the page that starts it. */
export async function estimateRun(prepared: PreparedRun): Promise<RunEstimate> {
  const { agents, repeats, sets, warnings } = prepared;
  const { rows, total, budget } = await estimateCalls(prepared);
  return {
    cases: sets.reduce((sum, { plan }) => sum + plan.evalSet.evalCases.length, 0),
    repeats,
    variants: agents.length,
    rows,
    total,
    budget,
    warnings: warnings.map(({ message }) => message),
  };
}
