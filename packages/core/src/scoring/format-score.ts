/** More than verdicts overlook of what doubles lose. */
const NEAR = 1e-8;

/**
 * A score for people: at most three digits after the point, cut and never rounded up. A number that this would make 0,
 * or bring to the other side of the threshold or onto it, is shown whole. One that `reached` the threshold because a verdict overlooks
 * what doubles lose is shown as that threshold, so that what is shown compares with it as the verdict says.
 *
 * @param reached Whether the score counts as reaching the threshold. Default `false`: it does when it compares so.
 */
export function formatScore(value: number, threshold: number | null = null, reached = false): string {
  if (threshold === null) return String(cutOf(value));
  if (reached && Math.abs(value - threshold) <= NEAR) return String(threshold);
  const cut = cutOf(value);
  return String(Math.sign(cut - threshold) === Math.sign(value - threshold) ? cut : value);
}

function cutOf(value: number): number {
  const cut = Math.trunc(value * 1000) / 1000;
  return cut === 0 ? value : cut;
}
