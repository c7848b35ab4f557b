import { checkProbability, checkSameLength, checkShare } from './check.ts';
import { checkClusters } from './cluster-interval.ts';
import { clusteredMeanInterval } from './clustered-mean-interval.ts';
import { clustersOf, effectiveClusters } from './clusters.ts';
import { type Interval, narrower, widest } from './interval.ts';
import { tInterval } from './t-interval.ts';
import { isUnknown, type Unknown, unknown } from './unknown.ts';
import { unseenInterval } from './unseen-interval.ts';

/** With at least this many values or clusters, the exact interval is never the narrower one. */
const EXACT_BELOW = 30;
/** The weight of an unseen value: the smallest that keeps coverage at 93% or more in all settings. */
const UNSEEN = 0.25;

/**
 * Computes a confidence interval for the mean of scores between 0 and 1. It stays between 0 and 1, has a width above 0
 * even if all scores are equal, and stays valid if most of them lie at a limit. `clusters` names the cluster of each
 * score if some belong together. `level`: default 0.95. Unknown without scores.
 *
 * Student's t (`tInterval`, `clusteredMeanInterval`), widened to `unseenInterval` with a quarter of an unseen score,
 * but no further than the exact interval with a whole one. If 60 to 97% of the scores are 1, t alone covers 8 to 95%
 * with 3 to 100 scores, and this interval 93 to 100%. If scores lie close together it is wider than t, because the next
 * score may lie elsewhere.
 *
 * @throws RangeError if a score is not between 0 and 1, a cluster is neither a string nor a number, the lists differ in
 *   length, or `level` does not lie between 0 and 1.
 */
export function boundedMeanInterval(
  values: readonly number[],
  clusters?: readonly (string | number)[],
  level = 0.95,
): Interval | Unknown {
  for (const [index, value] of values.entries()) checkProbability(value, `values[${index}]`);
  if (clusters !== undefined) {
    checkSameLength(values, clusters, 'values', 'clusters');
    checkClusters(clusters);
  }
  checkShare(level, 'level');
  if (values.length === 0) return unknown('there are no values');
  const all = clustersOf(values, clusters);
  const independent = effectiveClusters(all);
  const t = clusters === undefined ? tInterval(values, level) : clusteredMeanInterval(values, clusters, level);
  const exact = () => unseenInterval(all, 1, level);
  if (isUnknown(t)) return exact();
  const clipped = { low: Math.max(0, t.low), high: Math.min(1, t.high) };
  const found = widest(clipped, unseenInterval(all, UNSEEN, level));
  return independent < EXACT_BELOW ? narrower(found, exact()) : found;
}
