import type { Range } from '../contracts/criterion.ts';
import { meetsThreshold } from './verdict.ts';

/**
 * A score for people: at most three digits after the point, cut and never rounded up. A number that this would make 0,
 * or bring to the other side of the threshold or onto it, is shown whole. One that reaches the threshold only because a verdict
 * overlooks what doubles lose is shown as that threshold, so that what is shown compares with it as the verdict says.
 *
 * @param reached The range, given where the score counts as reaching the threshold. Default `null`.
 */
export function formatScore(value: number, threshold: number | null = null, reached: Range | null = null): string {
  if (threshold === null) return String(cutOf(value));
  const isOverlooked = reached !== null && !meetsThreshold(value, threshold, reached, 'adk');
  if (isOverlooked && meetsThreshold(value, threshold, reached, null)) return String(threshold);
  const cut = cutOf(value);
  return String(Math.sign(cut - threshold) === Math.sign(value - threshold) ? cut : value);
}

function cutOf(value: number): number {
  const cut = Math.trunc(value * 1000) / 1000;
  return cut === 0 ? value : cut;
}
