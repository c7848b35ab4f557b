/**
 * The share of property test runs to perform, from `AGENT_CRITERIA_RUNS`. The default is a twentieth, so that the tests
 * finish within two minutes.
 */
const share = Number(process.env.AGENT_CRITERIA_RUNS || 0.05);

/** Whether everything runs at full size, as in `.ci/nightly`. */
export const allRuns = share >= 1;

/** Whether more than the default is requested, so that a test may take longer. */
export const moreRuns = share > 0.05;

/** Returns how often a property is tried: the requested share of `most`, but at least 20 times. */
export function runs(most: number): number {
  return Math.max(Math.min(most, 20), Math.ceil(most * Math.min(share, 1)));
}
