import { type Change, type ChangeVerdict, PASS_RATE } from '../change.ts';
import { isShare, plainText, pText, valueText } from './numbers.ts';

/** The cells for a change in a table, each `null` if unknown. */
export interface ChangeCells {
  readonly before: string | null;
  readonly now: string | null;
  /** Such as `+12` or `-0.4`. */
  readonly difference: string | null;
  readonly interval: string | null;
  readonly p: string | null;
  readonly verdict: string;
}

/**
 * Formats a change. Scores are written like thresholds; only the pass rate is in percent, with differences in points.
 */
export function changeCells(change: Change, decides: boolean): ChangeCells {
  const { name, base, candidate, difference, interval, range, adjustedP, p } = change;
  const scale = name === PASS_RATE ? range : { min: 0, max: null };
  const value = (number: number | null) => (number === null ? null : valueText(number, scale));
  const shownP = adjustedP ?? (typeof p === 'number' ? p : null);
  return {
    before: value(base),
    now: value(candidate),
    difference: difference === null ? null : signed(difference, isShare(scale)),
    interval:
      'unknown' in interval ? null : `${end(interval.low, isShare(scale))} to ${end(interval.high, isShare(scale))}`,
    p: shownP === null ? null : pText(shownP).replace('p = ', '').replace('p < ', '<'),
    verdict: decides ? VERDICTS[change.verdict] : measuredWord(change),
  };
}

const VERDICTS: Readonly<Record<ChangeVerdict, string>> = {
  regression: 'regression',
  improvement: 'improvement',
  small: 'too small to count',
  'ruled-out': 'ruled out',
  open: 'neither shown nor ruled out',
  'too-few': 'cannot tell',
  'cannot-tell': 'cannot tell',
  'nothing-paired': 'nothing to compare',
  selected: 'no statement',
};

/** Describes a number that does not decide, which can only get better or worse. */
function measuredWord({ verdict, difference, range }: Change): string {
  if (verdict === 'too-few' || verdict === 'open' || verdict === 'ruled-out') return 'no clear change';
  if (verdict === 'cannot-tell' || verdict === 'nothing-paired' || verdict === 'selected') return VERDICTS[verdict];
  return (difference as number) > 0 === (range.better === 'higher') ? 'better' : 'worse';
}

function signed(difference: number, inPoints: boolean): string {
  const size = Math.abs(difference);
  const points = size * 100;
  const text = plainText(!inPoints ? size : points < 1 ? Number(points.toFixed(1)) : Math.round(points));
  if (text === '0') return text;
  return `${difference < 0 ? '-' : '+'}${text}`;
}

function end(value: number, inPoints: boolean): string {
  return inPoints ? String(Math.round(value * 100)) : plainText(value);
}
