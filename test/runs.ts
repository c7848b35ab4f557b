/** `.ci/run` sets it. Without it a property is tried less often, for an answer within two minutes. */
export const allRuns = (process.env.AGENT_CRITERIA_ALL_RUNS ?? '') !== '';

/** How often a property is tried: `most` times where all runs are asked for, else a twentieth of that, but no fewer than 20 of them. */
export function runs(most: number): number {
  return allRuns ? most : Math.max(Math.min(most, 20), Math.ceil(most / 20));
}

/** `.ci/nightly` sets it: simulations run in full, which takes too long for every change. */
export const isNightly = (process.env.AGENT_CRITERIA_NIGHTLY ?? '') !== '';
