import { meanOf } from './moments.ts';

/** The values of one cluster. */
export interface Cluster {
  readonly size: number;
  readonly mean: number;
}

/** Groups values by cluster. Without `clusters`, each value is its own cluster. */
export function clustersOf(
  values: readonly number[],
  clusters: readonly (string | number)[] | undefined,
): readonly Cluster[] {
  if (clusters === undefined) return values.map((mean) => ({ size: 1, mean }));
  const found = new Map<string | number, number[]>();
  for (const [index, value] of values.entries()) {
    const own = found.get(clusters[index]!);
    if (own === undefined) found.set(clusters[index]!, [value]);
    else own.push(value);
  }
  return [...found.values()].map((own) => ({ size: own.length, mean: meanOf(own) }));
}

/**
 * Computes how many clusters of equal size would be as informative if all values in a cluster were alike: their number
 * if their sizes are equal, fewer if some are larger (Kish 1965).
 */
export function effectiveClusters(clusters: readonly Cluster[]): number {
  let [sum, squares] = [0, 0];
  for (const { size } of clusters) {
    sum += size;
    squares += size ** 2;
  }
  return sum ** 2 / squares;
}
