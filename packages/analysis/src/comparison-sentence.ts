import { counted } from '@agent-criteria/core/host';
import { isUnknown } from '@agent-criteria/statistics';
import type { Change } from './change.ts';
import { isShare, plainText, pointsText, pText } from './number-words.ts';

/** A change in words: `response_match_score fell by 12 points (4 to 20), 38 paired cases, p = 0.01: a regression`. */
export function comparisonSentence(change: Omit<Change, 'text'>): string {
  const { name, pairs, verdict, difference } = change;
  if (difference === null) return `${name}: no case has a score in both runs`;
  const p = change.adjustedP ?? (isUnknown(change.p) ? null : change.p);
  const tested = p === null ? '' : `, ${pText(p)}`;
  const cases = counted(pairs, 'paired case');
  // Of that, p is 1 always.
  const isSame = isUnknown(change.interval) && Math.abs(difference) < 1e-12 && p === 1;
  if (isSame) {
    const same = `${name} did not change in any of ${cases}`;
    if (verdict === 'noise') return same;
    return `${same}: ${verdict === 'too-few' ? tooFewUnchanged(change) : VERDICTS[verdict](change)}`;
  }
  return `${moved(change, difference)}, ${cases}${tested}: ${VERDICTS[verdict](change)}`;
}

const VERDICTS: Readonly<Record<Change['verdict'], (change: Omit<Change, 'text'>) => string>> = {
  regression: () => 'a regression',
  improvement: () => 'an improvement',
  small: (change) => `a change, but smaller than the ${sizeText(change, change.minEffect)} that count`,
  noise: () => 'within the noise',
  'too-few': tooFew,
  'cannot-tell': (change) =>
    `cannot tell, because ${counted(change.unjudged, 'case')} could not be judged in full${worst(change)}`,
  'nothing-paired': () => 'no case has a score in both runs',
};

function moved(change: Omit<Change, 'text'>, difference: number): string {
  const { name, interval } = change;
  if (Math.abs(difference) < 1e-12) return `${name} did not change`;
  const verb = difference > 0 ? 'rose' : 'fell';
  const size = sizeText(change, difference);
  return `${name} ${verb} by ${size}${isUnknown(interval) ? '' : ` (${ends(change, interval, difference)})`}`;
}

/** The interval of how far it rose or fell: below 0, it went the other way. */
function ends(
  change: Omit<Change, 'text'>,
  { low, high }: { readonly low: number; readonly high: number },
  difference: number,
): string {
  const [from, to] = difference > 0 ? [low, high] : [-high, -low];
  const text = (value: number) => (isShare(change.range) ? String(Math.round(value * 100)) : plainText(value));
  return `${text(from)} to ${text(to)}`;
}

function tooFew(change: Omit<Change, 'text'>): string {
  const { detects, casesForMinEffect, minEffect } = change;
  if (isUnknown(detects)) return 'too few cases to tell a change from noise';
  const need = isUnknown(casesForMinEffect)
    ? ''
    : `; ${casesForMinEffect.toLocaleString('en-US')} cases would detect ${sizeText(change, minEffect)}`;
  const size = sizeText(change, detects);
  // Rounded, it would say that so many cases are too few and enough.
  const exact = isShare(change.range) && size === sizeText(change, minEffect);
  return `too few cases to detect less than ${exact ? `${(detects * 100).toFixed(1)} points` : size}${need}`;
}

function tooFewUnchanged({ range, casesForMinEffect, minEffect }: Omit<Change, 'text'>): string {
  if (isUnknown(casesForMinEffect)) return 'too few cases to tell a change from noise';
  const size = sizeText({ range }, minEffect);
  return `too few cases to rule out a change of ${size}, which takes ${casesForMinEffect.toLocaleString('en-US')}`;
}

function worst(change: Omit<Change, 'text'>): string {
  if (change.atWorst === null) return '';
  const { difference } = change.atWorst;
  if (Math.abs(difference) < 1e-12) return '; at their worst, it did not change';
  return `; at their worst, it ${difference > 0 ? 'rose' : 'fell'} by ${sizeText(change, difference)}`;
}

function sizeText({ range }: Pick<Change, 'range'>, size: number): string {
  return isShare(range) ? pointsText(size) : plainText(Math.abs(size));
}
