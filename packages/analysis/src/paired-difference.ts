import type { Range } from '@agent-criteria/core';
import { type Interval, isUnknown, type Unknown, withinCasePermutation } from '@agent-criteria/statistics';
import type { CaseValues, ValuePair } from './estimate.ts';
import { groupsOf, meanOf } from './estimate-of.ts';
import { type PairedTest, testByCases, testByRepeats } from './paired-test.ts';
import { type Unjudged, unjudgedOf } from './unjudged.ts';

/** What two runs give for the same cases, and how far they differ: candidate less base, in the unit of the scores. Plain JSON. */
export interface PairedDifference extends Unjudged {
  /** How many cases have a value in both. */
  readonly pairs: number;
  /** Means over these cases; `null` without any. */
  readonly base: number | null;
  readonly candidate: number | null;
  readonly difference: number | null;
  /** The unit that decides: these cases, whose repeats are exchanged between the runs, or cases or groups like these. */
  readonly by: PairedTest['by'];
  /** How many cases or groups there are. */
  readonly units: number;
  /** The fewest repeats that a case has in each run. */
  readonly repeats: { readonly base: number; readonly candidate: number };
  /** Where the true difference lies, or why that is unknown. */
  readonly interval: Interval | Unknown;
  /** The probability of a difference this large, either way, if nothing had changed. */
  readonly p: number | Unknown;
  /** The smallest p that these cases could have given beside this base. */
  readonly leastP: number;
  /** How many repeats in both runs could show a regression beside this base; `null`: no number of them can, or these can already. */
  readonly repeatsToShow: number | null;
  /** Whether cases like these would change, where `by` says that these cases decide; else `null`. */
  readonly likeThese: { readonly interval: Interval | Unknown; readonly p: number | Unknown } | null;
}

/** A difference before p-values are corrected for their number, which its intervals depend on. */
export interface TestedDifference {
  /** Two of these with the same values are one question. */
  readonly question: string;
  readonly p: number | Unknown;
  at(alpha: number): PairedDifference;
}

/**
 * Compares the same cases in two runs. Where each case ran at least twice in both and none has a group, repeats are exchanged within
 * cases, and the answer is about these cases; else a case counts once, by the mean of its repeats, cases of one group change together,
 * and the answer is about cases like these.
 *
 * @param byRepeats `false`: how often a case ran depends on how it came out, so that repeats are not exchanged.
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

/** How often a case ran, judged or not. */
function ran({ values, open }: CaseValues): number {
  return values.length + (open?.missing ?? 0);
}

/** More repeats of a case than this would not be worth their price. */
const MOST_REPEATS = 20;

/** @param before The mean of each case in the base. */
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
