/** Tells whether two numbers differ by at most the tolerance, allowing for rounding errors: 1.1 is within 0.1 of 1. */
export function isNear(actual: number, expected: number, tolerance: number): boolean {
  const rounding = 2 * Number.EPSILON * Math.max(Math.abs(actual), Math.abs(expected));
  return Math.abs(actual - expected) <= tolerance + rounding;
}
