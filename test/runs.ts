/** The share of the runs of property tests that `AGENT_CRITERIA_RUNS` asks for. By default a twentieth, for an answer within two minutes. */
const share = Number(process.env.AGENT_CRITERIA_RUNS || 0.05);

/** Whether everything runs at its full size, as in `.ci/nightly`. */
export const allRuns = share >= 1;

/** Whether more than the default is asked for, so that a test may take longer. */
export const moreRuns = share > 0.05;

/** How often a property is tried: the requested share of `most`, but no fewer than 20 times. */
export function runs(most: number): number {
  return Math.max(Math.min(most, 20), Math.ceil(most * Math.min(share, 1)));
}
