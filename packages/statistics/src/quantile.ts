/**
 * The quantile of values in rising order, `share` from 0 to 1: position (n - 1) share, linear between neighbours. Type 7 of
 * Hyndman and Fan 1996, as in R and NumPy.
 */
export function quantileOfSorted(sorted: ArrayLike<number>, share: number): number {
  const position = (sorted.length - 1) * share;
  const below = Math.min(Math.max(Math.floor(position), 0), sorted.length - 1);
  const value = sorted[below]!;
  const next = sorted[Math.min(below + 1, sorted.length - 1)]!;
  return value + (position - below) * (next - value);
}
