import { createRandom, uniform } from '../random.ts';

/** Seeded random values from the distributions that simulations need. */
export interface Draw {
  /** Draws uniformly from 0 to 1. */
  uniform(): number;
  /** Returns 1 with probability `rate`, otherwise 0. */
  outcome(rate: number): number;
  /** Draws a rate from Beta(4, 1): most cases pass most of the time. */
  beta4by1(): number;
  /** Draws a score from Beta(3, 0.8): most are high. */
  beta3by08(): number;
  /** Draws a rate from Beta(0.6, 0.2): most cases always pass, some never do. */
  beta06by02(): number;
  /** Draws a rate from Beta(2, 2): most cases pass sometimes. */
  beta2by2(): number;
}

export function createDraw(seed: number): Draw {
  const random = createRandom(seed);
  const next = () => uniform(random);
  return {
    uniform: next,
    outcome: (rate) => (next() < rate ? 1 : 0),
    beta4by1: () => next() ** (1 / 4),
    beta3by08: () => {
      // Rejection sampling from Beta(1, 0.8): each value is kept with probability x^2.
      for (;;) {
        const x = 1 - next() ** (1 / 0.8);
        if (next() < x * x) return x;
      }
    },
    beta06by02: () => {
      // Jöhnk's method, for parameters below 1.
      for (;;) {
        const [x, y] = [next() ** (1 / 0.6), next() ** (1 / 0.2)];
        if (x + y > 0 && x + y <= 1) return x / (x + y);
      }
    },
    // The median of three uniform values.
    beta2by2: () => {
      const [a, b, c] = [next(), next(), next()];
      return a + b + c - Math.min(a, b, c) - Math.max(a, b, c);
    },
  };
}
