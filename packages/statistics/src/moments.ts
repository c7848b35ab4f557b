/**
 * Computes the mean of at least one value. Measures from the first value, so that equal values give exactly that value.
 */
export function meanOf(values: readonly number[]): number {
  const origin = values[0]!;
  let sum = 0;
  for (const value of values) sum += value - origin;
  return origin + sum / values.length;
}

/** Computes the unbiased variance (n - 1) of at least two values. Exactly 0 if all are equal. */
export function varianceOf(values: readonly number[]): number {
  return covarianceOf(values, values);
}

/** Computes the unbiased covariance (n - 1) of at least two pairs. */
export function covarianceOf(xs: readonly number[], ys: readonly number[]): number {
  const [meanX, meanY] = [meanOf(xs), meanOf(ys)];
  let sum = 0;
  for (let index = 0; index < xs.length; index++) sum += (xs[index]! - meanX) * (ys[index]! - meanY);
  return sum / (xs.length - 1);
}
