import type { Range } from '../contracts/criterion.ts';
import { meetsThreshold } from './verdict.ts';

/** A double needs at most 17 significant digits. */
const MOST_DIGITS = 17;

/**
 * Rounds a number to `digits` decimal places, or to as many significant digits if it is smaller than the last of these
 * places. Adds digits until `fits` accepts the result, so that rounding does not move it to the other side of a
 * threshold.
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
 * Formats a score for people: rounded to three decimal places, with more digits if it is below 0.001 or would otherwise
 * appear on the other side of the threshold. A score that reaches the threshold only thanks to the tolerance is shown
 * as the threshold, so that the number agrees with the verdict.
 *
 * @param threshold Default `null`: none.
 * @param reached The criterion's range if the score counts as reaching the threshold, or else `null`. Default `null`.
 */
export function formatScore(value: number, threshold: number | null = null, reached: Range | null = null): string {
  if (threshold === null) return String(roundBeside(value, DIGITS));
  if (reached !== null && meetsThreshold(value, threshold, reached, null)) {
    if (!meetsThreshold(value, threshold, reached, 'adk')) return String(threshold);
    return String(roundBeside(value, DIGITS, (rounded) => meetsThreshold(rounded, threshold, reached, 'adk')));
  }
  const side = Math.sign(value - threshold);
  return String(roundBeside(value, DIGITS, (rounded) => Math.sign(rounded - threshold) === side));
}

const DIGITS = 3;

/**
 * Formats a share from 0 to 1 as a percentage, rounded to one decimal place, with more digits if it would otherwise
 * read as 0 %, as 100 %, or appear on the other side of `least`.
 *
 * @param least The required share. Default `null`: none.
 */
export function formatShare(share: number, least: number | null = null): string {
  const percent = share * 100;
  const marks = [100, ...(least === null ? [] : [least * 100])];
  const stays = (rounded: number) => marks.every((mark) => Math.sign(rounded - mark) === Math.sign(percent - mark));
  return `${roundBeside(percent, 1, stays)} %`;
}
