import type { Range } from '@agent-criteria/core';
import { type Interval, isUnknown, type Unknown, withinCasePermutation } from '@agent-criteria/statistics';
import { type CaseValues, groupsOf, meanOf, type ValuePair } from './estimate.ts';
import { type PairedTest, testByCases, testByRepeats } from './paired-test.ts';
import { type Unjudged, unjudgedOf } from './unjudged.ts';

/**
 * The difference between two runs over the same cases: candidate minus base, in the units of the scores. Plain JSON.
 */
export interface PairedDifference extends Unjudged {
  /** The number of cases with a value in both runs. */
  readonly pairs: number;
  /** The means over these cases, or `null` if there are none. */
  readonly base: number | null;
  readonly candidate: number | null;
  readonly difference: number | null;
  /**
   * The unit of the test: repeats, permuted within these cases; or cases or groups, for a result on cases like these.
   */
  readonly by: PairedTest['by'];
  readonly units: number;
  /** The smallest number of repeats of any case in each run. */
  readonly repeats: { readonly base: number; readonly candidate: number };
  /** The confidence interval, or the reason why it is unknown. */
  readonly interval: Interval | Unknown;
  /** The probability of a difference this large in either direction if nothing has changed. */
  readonly p: number | Unknown;
  /** The smallest possible p with these cases and this base. */
  readonly leastP: number;
  /**
   * The number of repeats in both runs that could show a regression from this base, or `null` if none up to 20 could,
   * cases have groups, or the current number already can.
   */
  readonly repeatsToShow: number | null;
  /** The result for cases like these if `by` is `repeats`; otherwise `null`. */
  readonly likeThese: { readonly interval: Interval | Unknown; readonly p: number | Unknown } | null;
}

/** A difference whose p-value is not yet corrected. The correction determines the level of its intervals. */
export interface TestedDifference {
  /** Identifies the values, so that differences with the same values count once. */
  readonly question: string;
  readonly p: number | Unknown;
  at(alpha: number): PairedDifference;
}

/**
 * Compares the same cases in two runs. If each case ran at least twice in both and none has a group, repeats are
 * permuted within cases, and the result is for these cases. Otherwise a case counts once, by the mean of its repeats,
 * cases of one group change together, and the result is for cases like these.
 *
 * @param byRepeats `false` if the number of repeats depends on their results, so that they cannot be permuted.
 */
export function pairedDifference(cases: readonly ValuePair[], range: Range, byRepeats: boolean): TestedDifference {
  const both = cases.filter(({ base, candidate }) => base.values.length > 0 && candidate.values.length > 0);
  const fewest = (side: keyof ValuePair) =>
    both.reduce((least, pair) => Math.min(least, ran(pair[side])), both.length === 0 ? 0 : Number.POSITIVE_INFINITY);
  const repeats = { base: fewest('base'), candidate: fewest('candidate') };
  const isGrouped = groupsOf(both.map(({ candidate }) => candidate)) !== null;
  const deciding = byRepeats && repeats.base >= 2 && repeats.candidate >= 2 && !isGrouped ? testByRepeats : testByCases;
  const test = deciding(both, range);
  const others = deciding === testByRepeats ? testByCases(both, range) : null;
  const before = both.map(({ base }) => meanOf(base.values));
  const after = both.map(({ candidate }) => meanOf(candidate.values));
  const any = both.length > 0;
  const known = {
    ...unjudgedOf(cases, range, (whole) => deciding(whole, range)),
    pairs: both.length,
    base: any ? meanOf(before) : null,
    candidate: any ? meanOf(after) : null,
    difference: any ? meanOf(after.map((value, index) => value - (before[index] as number))) : null,
    by: test.by,
    units: test.units,
    repeats,
    p: test.p,
    leastP: test.leastP,
  };
  const scale = range.max === null ? 1 : range.max - range.min;
  return {
    question: both
      .map((pair) =>
        [pair.base, pair.candidate].map(({ values }) => values.map((value) => value / scale).join()).join(';'),
      )
      .join('|'),
    p: test.p,
    at: (alpha) => ({
      ...known,
      repeatsToShow: test.leastP <= alpha || isGrouped ? null : repeatsToShow(before, range, alpha),
      interval: any ? test.interval(alpha) : { unknown: 'no case has a score in both runs' },
      likeThese: others === null ? null : { interval: others.interval(alpha), p: others.p },
    }),
  };
}

function ran({ values, open }: CaseValues): number {
  return values.length + (open?.missing ?? 0);
}

/** More repeats than this would not be worth their cost. */
const MOST_REPEATS = 20;

/** @param before The mean of each case in the base run. */
function repeatsToShow(before: readonly number[], { min, max, better }: Range, alpha: number): number | null {
  const worst = better === 'higher' ? min : max;
  const width = max === null ? 1 : max - min;
  const shares = before.map((mean) => (worst === null ? 1 : Math.min(1, Math.abs(mean - worst) / width)));
  for (let repeats = 3; repeats <= MOST_REPEATS; repeats++) {
    const cases = shares.map((share) => ({
      base: Array.from({ length: repeats }, (_, repeat) => (repeat < Math.round(share * repeats) ? 1 : 0)),
      candidate: Array<number>(repeats).fill(0),
    }));
    const found = withinCasePermutation(cases);
    if (!isUnknown(found) && found.p <= alpha) return repeats;
  }
  return null;
}
