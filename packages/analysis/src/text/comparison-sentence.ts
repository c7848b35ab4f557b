import { counted } from '@agent-criteria/core/host';
import { type Interval, isUnknown } from '@agent-criteria/statistics';
import {
  type Change,
  type ChangeVerdict,
  type ComparisonOutcome,
  isAllUnjudged,
  PASS_RATE,
  rulesOutRegression,
} from '../change.ts';
import { isShare, plainText, pointsText, pText } from './numbers.ts';
import { unjudgedText } from './phrases.ts';

type ChangeWithoutText = Omit<Change, 'text'>;

/**
 * Describes a change: `response_match_score fell by 12 points (-20 to -4), 38 paired cases, p = 0.01: a regression`.
 */
export function comparisonSentence(change: ChangeWithoutText): string {
  const { name, pairs, verdict, difference, by, units, unjudged } = change;
  if (difference === null) {
    const why = unjudged > 0 ? `, because ${unjudgedText(unjudged)}` : '';
    return `${name}: no case has a score in both runs${why}`;
  }
  const p = change.adjustedP ?? (isUnknown(change.p) ? null : change.p);
  const isSame = Math.abs(difference) < 1e-12;
  // A p of 1 adds nothing if there was no change.
  const tested = p === null || (isSame && p === 1) ? '' : `, ${pText(p)}`;
  const groups = by === 'groups' ? ` in ${counted(units, 'group')}` : '';
  return `${moved(change, difference)}, ${counted(pairs, 'paired case')}${groups}${tested}: ${VERDICTS[verdict](change)}${likeThese(change)}`;
}

const VERDICTS: Readonly<Record<Change['verdict'], (change: ChangeWithoutText) => string>> = {
  regression: () => 'a regression',
  improvement: () => 'an improvement',
  small: (change) => `a change, but smaller than the ${sizeText(change, change.minEffect)} that count`,
  'ruled-out': (change) => `a change of ${sizeText(change, change.minEffect)} or more is ruled out`,
  open: (change) =>
    rulesOutRegression(change)
      ? `a fall of ${sizeText(change, change.minEffect)} or more is ruled out, but a rise is neither shown nor ruled out`
      : `no change of ${sizeText(change, change.minEffect)} or more was shown or ruled out${change.couldShow ? '' : `; ${cannotShow(change)}`}`,
  'too-few': (change) => `cannot tell, because ${cannotShow(change)}`,
  'cannot-tell': (change) => `cannot tell, because ${unjudgedText(change.unjudged)}${atEnd(change)}`,
  'nothing-paired': () => 'no case has a score in both runs',
  selected: () => 'no statement, because the cases were selected by their verdicts',
};

function moved(change: ChangeWithoutText, difference: number): string {
  const { name, interval } = change;
  const range = isUnknown(interval) ? '' : ` (${intervalWords(change, interval)})`;
  if (Math.abs(difference) < 1e-12) return `${name} did not change${range}`;
  return `${name} ${difference > 0 ? 'rose' : 'fell'} by ${sizeText(change, difference)}${range}`;
}

/** Formats the interval of a change, with signs: `-20 to -4`. */
function intervalWords(change: ChangeWithoutText, { low, high }: Interval): string {
  const text = (value: number) => (isShare(change.range) ? pointsOf(value, change.minEffect) : plainText(value));
  return `${text(low)} to ${text(high)}`;
}

/**
 * Formats whole points with their sign, with one more digit below one or where rounding would hit the smallest change
 * that counts.
 */
function pointsOf(share: number, minEffect: number): string {
  const points = share * 100;
  const beside =
    Math.round(Math.abs(points)) === Math.round(minEffect * 100) && Math.abs(Math.abs(share) - minEffect) > 1e-9;
  const isSmall = Math.abs(points) < 1 && Math.abs(points) >= 0.05;
  const shown = beside || isSmall ? points.toFixed(1) : String(Math.round(points));
  return shown === '-0' ? '0' : shown;
}

/** Explains why these cases could not have shown a regression, and what to run instead. */
function cannotShow({ by, units, repeats, repeatsToShow }: ChangeWithoutText): string {
  const what = counted(units, by === 'groups' ? 'group' : 'case');
  const fewest = Math.min(repeats.base, repeats.candidate);
  const side = repeats.base === repeats.candidate ? '' : ` in the ${fewest === repeats.base ? 'base' : 'new'} run`;
  const often = by === 'groups' ? '' : fewest === 1 ? ` that ran once${side}` : ` with ${fewest} repeats${side}`;
  const can = `${what}${often} can never show a regression`;
  if (by === 'groups') return `${can}, which takes at least ${FEWEST_UNITS} groups`;
  if (repeatsToShow === null) return `${can}; add cases that the base run passes`;
  const which =
    repeats.candidate >= repeatsToShow
      ? 'the base side'
      : repeats.base >= repeatsToShow
        ? 'the new side'
        : 'both sides';
  return `${can}; run ${which} with --repeats ${repeatsToShow}`;
}

/** Five equal signs occur by chance more often than 1 time in 20; six do not. */
const FEWEST_UNITS = 6;

/** Adds the result for cases like these if it differs. */
function likeThese(change: ChangeWithoutText): string {
  const { likeThese: other, adjustedP, verdict } = change;
  if (other === null || adjustedP === null || isUnknown(other.p) || isUnknown(other.interval)) return '';
  const finds = verdict === 'regression' || verdict === 'improvement';
  const excludesZero = other.interval.low > 0 || other.interval.high < 0;
  if (finds && !excludesZero)
    return ` in these cases; whether cases like these would change is open (${pText(other.p)})`;
  if (!finds && excludesZero && verdict !== 'small' && verdict !== 'cannot-tell')
    return `; cases like these would change (${pText(other.p)})`;
  return '';
}

function atEnd(change: ChangeWithoutText): string {
  const { atWorst, atBest, difference } = change;
  const falls = (difference ?? 0) > 0 === (change.range.better === 'lower');
  // A fall is checked at its best, everything else at its worst.
  const end = falls && !isUnknown(change.p) && (change.adjustedP ?? 1) <= 0.05 ? atBest : atWorst;
  if (end === null) return '';
  const name = end === atBest ? 'at their best' : 'at their worst';
  if (Math.abs(end.difference) < 1e-12) return `; ${name}, it did not change`;
  return `; ${name}, it ${end.difference > 0 ? 'rose' : 'fell'} by ${sizeText(change, end.difference)}`;
}

function sizeText({ range }: Pick<Change, 'range'>, size: number): string {
  return isShare(range) ? pointsText(size) : plainText(Math.abs(size));
}

/** Summarises a comparison by its most significant change. */
export function comparisonStatement(
  outcome: ComparisonOutcome,
  changes: readonly Change[],
  paired: number,
  uncomputed: string | null,
): string {
  if (paired === 0) return 'Nothing was compared: the runs have no case in common.';
  if (outcome === 'nothing-compared')
    return `Nothing was compared: ${uncomputed ?? 'no deciding criterion can be compared between these runs'}.`;
  const of = (verdict: ChangeVerdict) => changes.filter((change) => change.verdict === verdict);
  const wanted: Readonly<Record<Exclude<ComparisonOutcome, 'nothing-compared'>, readonly Change[]>> = {
    regression: of('regression'),
    'cannot-tell': [...of('cannot-tell'), ...of('too-few'), ...changes.filter(isAllUnjudged)],
    improvement: of('improvement'),
    'no-change': [...of('open'), ...of('small'), ...of('ruled-out')],
  };
  // The most significant change comes first.
  const [first] = [...wanted[outcome]].sort((a, b) => (a.adjustedP ?? 1) - (b.adjustedP ?? 1));
  if (first === undefined) return uncomputed === null ? 'Nothing was compared.' : `${capitalised(uncomputed)}.`;
  return first.name === PASS_RATE ? `The ${first.text}.` : `${first.text}.`;
}

function capitalised(clause: string): string {
  return `${clause.charAt(0).toUpperCase()}${clause.slice(1)}`;
}
