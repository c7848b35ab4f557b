import { checkNumbers, checkSameLength, checkShare } from './check.ts';
import type { MeanInterval } from './interval.ts';
import { meanOf } from './moments.ts';
import { tAround } from './t-interval.ts';
import { type Unknown, unknown } from './unknown.ts';

export interface ClusterInterval extends MeanInterval {
  /** The number of clusters. */
  readonly clusters: number;
}

/**
 * Computes a confidence interval for the mean of clustered values, such as values from the same document, user or
 * scenario. `clusters` names the cluster of each value. In the unit of the values, and not clipped. `level`: default
 * 0.95. Unknown with fewer than two clusters.
 *
 * Uses a cluster-robust standard error with the factor C / (C - 1), and t with C - 1 degrees of freedom, where C is the
 * number of clusters (Miller 2024, arXiv 2411.00640; the same correction as in inspect_ai). Optimistic with few
 * clusters.
 *
 * @throws RangeError if a value is not a finite number, a cluster is neither a string nor a number, the lists differ in
 *   length, or `level` does not lie between 0 and 1.
 */
export function clusterInterval(
  values: readonly number[],
  clusters: readonly (string | number)[],
  level = 0.95,
): ClusterInterval | Unknown {
  checkNumbers(values, 'values');
  checkSameLength(values, clusters, 'values', 'clusters');
  checkShare(level, 'level');
  checkClusters(clusters);
  if (values.length === 0) return unknown('there are no values');

  const mean = meanOf(values);
  const sums = new Map<string | number, number>();
  for (const [index, value] of values.entries()) {
    const cluster = clusters[index]!;
    sums.set(cluster, (sums.get(cluster) ?? 0) + (value - mean));
  }
  const count = sums.size;
  if (count === 1) return unknown('one cluster has no spread: at least two are needed');
  let squares = 0;
  for (const sum of sums.values()) squares += sum * sum;
  const se = Math.sqrt((count / (count - 1)) * squares) / values.length;
  const { df, low, high } = tAround(mean, se, count - 1, level);
  return { mean, se, clusters: count, df, low, high };
}

export function checkClusters(clusters: readonly (string | number)[]): void {
  for (const [index, cluster] of clusters.entries()) {
    if (typeof cluster === 'string' || Number.isFinite(cluster)) continue;
    throw new RangeError(
      `clusters[${index}] is ${cluster}. Name a cluster for every value, its own where it is alone.`,
    );
  }
}
