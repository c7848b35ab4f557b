interface Increasing {
  readonly value: number;
  readonly slope: number;
}

/**
 * Finds the zero of an increasing function by Newton's method, falling back to bisection when a step would leave the
 * bracket. The root is accurate to about 1e-15, or to the rounding error of the function.
 */
export function rootOf(at: (x: number) => Increasing, low: number, high: number, start: number): number {
  let x = start > low && start < high ? start : (low + high) / 2;
  for (let step = 0; step < 400; step++) {
    const { value, slope } = at(x);
    if (value === 0) return x;
    if (value > 0) high = x;
    else low = x;
    const newton = x - value / slope;
    const next = newton > low && newton < high ? newton : (low + high) / 2;
    const change = Math.abs(next - x);
    x = next;
    // Newton's method doubles the number of correct digits: after a step of 1e-9, all of them are correct.
    if ((next === newton && change < 1e-9) || change <= Number.EPSILON * Math.abs(x)) return x;
  }
  return x;
}
