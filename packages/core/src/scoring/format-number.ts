import type { Range } from '../contracts/criterion.ts';
import { meetsThreshold } from './verdict.ts';

/** The most digits that a double of the size of a score needs. */
const MOST_DIGITS = 17;

/**
 * A number rounded to so many digits after the point, or, where that would leave nothing of it, to so many that say something.
 * It gets as many more as it takes until `fits` accepts it, so that rounding brings nothing to another side.
 */
export function roundBeside(value: number, digits: number, fits: (rounded: number) => boolean = () => true): number {
  const isSmall = Math.abs(value) < 10 ** -digits;
  for (let more = digits; more <= MOST_DIGITS; more++) {
    const rounded = Number(isSmall ? value.toPrecision(more) : value.toFixed(more));
    if (fits(rounded)) return rounded;
  }
  return value;
}

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

/**
 * A share of 0 to 1 in percent, rounded to one digit after the point, with more of them where it would else read as all, as
 * nothing, or as if it were on the other side of the least share that is wanted.
 */
export function formatShare(share: number, least: number | null = null): string {
  const percent = share * 100;
  const marks = [100, ...(least === null ? [] : [least * 100])];
  const stays = (rounded: number) => marks.every((mark) => Math.sign(rounded - mark) === Math.sign(percent - mark));
  return `${roundBeside(percent, 1, stays)} %`;
}
