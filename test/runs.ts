/** `.ci/run` sets it. Without it a property is tried less often, for an answer within two minutes. */
const all = (process.env.AGENT_CRITERIA_ALL_RUNS ?? '') !== '';

/** How often a property is tried: so many times where all runs are asked for, else a tenth of that, but 20 times if it has so many. */
export function runs(most: number): number {
  return all ? most : Math.max(Math.min(most, 20), Math.ceil(most / 10));
}
