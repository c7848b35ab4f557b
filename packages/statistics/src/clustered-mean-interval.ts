import { checkNumbers, checkSameLength, checkShare } from './check.ts';
import { type ClusterInterval, checkClusters } from './cluster-interval.ts';
import { clustersOf } from './clusters.ts';
import { meanOf } from './moments.ts';
import { tAround } from './t-interval.ts';
import { type Unknown, unknown } from './unknown.ts';

/**
 * Computes a confidence interval for the mean of clustered values, such as values from the same document, user or
 * scenario, when there are few clusters or their sizes differ. `clusters` names the cluster of each value. In the unit
 * of the values, and not clipped. `level`: default 0.95. Unknown with fewer than two clusters. Equals `clusterInterval`
 * with clusters of equal size, and `tInterval` with one value in each.
 *
 * The standard error is CR2 of Bell and McCaffrey 2002, with Student's t and their degrees of freedom (Satterthwaite):
 * clusters - 1 if all have the same size, and far fewer if one is larger than the others (Imbens and Kolesar 2016).
 * With one cluster of 40 among 20 single values that are all or nothing, it covers 97 to 100%, and `clusterInterval`
 * 60%.
 *
 * @throws RangeError as for `clusterInterval`.
 */
export function clusteredMeanInterval(
  values: readonly number[],
  clusters: readonly (string | number)[],
  level = 0.95,
): ClusterInterval | Unknown {
  checkNumbers(values, 'values');
  checkSameLength(values, clusters, 'values', 'clusters');
  checkClusters(clusters);
  checkShare(level, 'level');
  const n = values.length;
  if (n === 0) return unknown('there are no values');
  const mean = meanOf(values);
  const all = clustersOf(values, clusters);
  if (all.length === 1) return unknown('one cluster has no spread: at least two are needed');
  // For a mean, the matrices of CR2 reduce to sums with the weights 1 / (1 - the cluster's share).
  let [variance, squares, weighted, fourth] = [0, 0, 0, 0];
  for (const { size, mean: own } of all) {
    const weight = n / (n - size);
    variance += weight * (size * (own - mean)) ** 2;
    squares += size ** 2;
    weighted += weight * size ** 2;
    fourth += (weight * size ** 2) ** 2;
  }
  const freedom = n ** 2 / (squares + (weighted ** 2 - fourth) / n ** 2);
  const { se, df, low, high } = tAround(mean, Math.sqrt(variance) / n, freedom, level);
  return { mean, se, clusters: all.length, df, low, high };
}
