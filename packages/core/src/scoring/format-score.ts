import type { Range } from '../contracts/criterion.ts';
import { roundBeside } from './round-beside.ts';
import { meetsThreshold } from './verdict.ts';

/**
 * A score for people: rounded to three digits after the point, with more of them where it would else become 0, or read as if it
 * were on the other side of the threshold. One that reaches the threshold only because a verdict overlooks what doubles lose
 * is shown as that threshold. So what is shown compares with the threshold as the verdict says, and scores that read the same
 * are on the same side of it.
 *
 * @param reached The range, given where the score counts as reaching the threshold. Default `null`.
 */
export function formatScore(value: number, threshold: number | null = null, reached: Range | null = null): string {
  if (threshold === null) return String(roundBeside(value, DIGITS));
  if (reached !== null && meetsThreshold(value, threshold, reached, null)) {
    if (!meetsThreshold(value, threshold, reached, 'adk')) return String(threshold);
    return String(roundBeside(value, DIGITS, (rounded) => meetsThreshold(rounded, threshold, reached, 'adk')));
  }
  // Which side is the better one is not known here.
  const side = Math.sign(value - threshold);
  return String(roundBeside(value, DIGITS, (rounded) => Math.sign(rounded - threshold) === side));
}

const DIGITS = 3;
