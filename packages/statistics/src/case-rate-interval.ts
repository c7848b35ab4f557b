import { checkCount, checkProbability, checkSameLength, checkShare } from './check.ts';
import { checkClusters } from './cluster-interval.ts';
import { clusteredMeanInterval } from './clustered-mean-interval.ts';
import { clustersOf, effectiveClusters } from './clusters.ts';
import { type Interval, narrower, widest } from './interval.ts';
import { meanOf } from './moments.ts';
import { rateInterval } from './rate-interval.ts';
import { studentTQuantile } from './student-t.ts';
import { tInterval } from './t-interval.ts';
import { isUnknown, type Unknown, unknown } from './unknown.ts';
import { unseenInterval } from './unseen-interval.ts';
import { wilsonAround } from './wilson-interval.ts';

export interface CaseRates {
  /** The probability, from 0 to 1, that each case passes, or another rate such as its pass^k. */
  readonly rates: readonly number[];
  /** The total number of runs over all cases. */
  readonly runs: number;
  /** The cluster of each case, if some belong together (the same document, user or scenario). */
  readonly clusters?: readonly (string | number)[] | undefined;
  /** Default 0.95. */
  readonly level?: number | undefined;
}

/** With fewer clusters than this, the interval has to allow for unseen ones. */
const FEW_CLUSTERS = 15;

/**
 * Computes a confidence interval for a pass rate over cases, each of which ran any number of times, clustered or not.
 * The interval lies between 0 and 1 and always has a width above 0. Unknown without cases.
 *
 * With one run per case it is `rateInterval`. With more, it is the narrower of two: the interval for one run per case
 * or per cluster, which is valid however alike repeats and clusters are; and the interval for the effective number of
 * runs, p(1 - p) / se^2, with Student's t. More runs at the same rate therefore never make it wider. Clusters have the
 * standard error of `clusteredMeanInterval`; if they are as informative as fewer than 15 of equal size, the interval is
 * widened to `unseenInterval` with half an unseen cluster.
 *
 * @throws RangeError if a rate is not a probability, `runs` is below the number of cases, a cluster is neither a string
 *   nor a number, the lists differ in length, or `level` does not lie between 0 and 1.
 */
export function caseRateInterval({ rates, runs, clusters, level = 0.95 }: CaseRates): Interval | Unknown {
  for (const [index, rate] of rates.entries()) checkProbability(rate, `rates[${index}]`);
  checkCount(runs, 'runs', rates.length);
  if (clusters !== undefined) {
    checkSameLength(rates, clusters, 'rates', 'clusters');
    checkClusters(clusters);
  }
  checkShare(level, 'level');
  const n = rates.length;
  if (n === 0) return unknown('there are no cases');
  const all = clusters === undefined ? [] : clustersOf(rates, clusters);
  const isClustered = clusters !== undefined && all.length < n;
  const rate = Math.min(Math.max(meanOf(rates), 0), 1);
  const independent = isClustered ? effectiveClusters(all) : n;
  const atWorst = rateInterval(rate, independent, level);
  if (!isClustered && runs === n) return atWorst;
  const found = isClustered ? clusteredMeanInterval(rates, clusters, level) : tInterval(rates, level);
  if (isUnknown(found)) return atWorst;
  const { se, df } = found;
  // A spread that is only rounding error must not decide.
  const effective =
    se < 1e-9
      ? independent
      : Math.min(Math.max((rate * (1 - rate)) / se ** 2, independent), Math.max(runs, independent));
  const quantile = -studentTQuantile((1 - level) / 2, df);
  const measured = widest(wilsonAround(rate, effective, quantile), rateInterval(rate, effective, level));
  const narrow = narrower(atWorst, measured);
  return isClustered && independent < FEW_CLUSTERS ? widest(narrow, unseenInterval(all, 0.5, level)) : narrow;
}
