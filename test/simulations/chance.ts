import { normalQuantile } from '@agent-criteria/statistics';
import { createRandom, uniform } from '../../packages/statistics/src/random.ts';
import type { Rates } from './grid.ts';

/** Random values determined by a seed. */
export interface Chance {
  /** Draws a number from 0 to 1. */
  readonly next: () => number;
  readonly hit: (rate: number) => boolean;
  readonly normal: () => number;
  /** Draws how often a case passes. */
  readonly rate: (rates: Rates) => number;
  /** Draws from Beta(2, 1) how often a group succeeds. */
  readonly beta2by1: () => number;
}

export function chanceOf(seed: number): Chance {
  const random = createRandom(seed);
  const next = () => uniform(random);
  const betas: Readonly<Record<Exclude<Rates, number>, () => number>> = {
    'Beta(4,1)': () => next() ** (1 / 4),
    // The median of three.
    'Beta(2,2)': () => [next(), next(), next()].sort((a, b) => a - b)[1] as number,
    'Beta(.6,.2)': () => {
      // Jöhnk's method, for parameters below 1.
      for (;;) {
        const [x, y] = [next() ** (1 / 0.6), next() ** (1 / 0.2)];
        if (x + y > 0 && x + y <= 1) return x / (x + y);
      }
    },
  };
  return {
    next,
    hit: (rate) => next() < rate,
    normal: () => normalQuantile(Math.min(Math.max(next(), 1e-12), 1 - 1e-12)),
    rate: (rates) => (typeof rates === 'number' ? rates : betas[rates]()),
    beta2by1: () => Math.sqrt(next()),
  };
}

const PARAMETERS: Readonly<Record<Exclude<Rates, number>, readonly [number, number]>> = {
  'Beta(4,1)': [4, 1],
  'Beta(.6,.2)': [0.6, 0.2],
  'Beta(2,2)': [2, 2],
};

/** Returns the probability that all of `k` repeats of a case pass; for `k` = 1, the mean pass rate. */
export function allPass(rates: Rates, k: number): number {
  if (typeof rates === 'number') return rates ** k;
  const [a, b] = PARAMETERS[rates];
  return rising(a, a + b, k);
}

/** Returns the probability that none of `k` repeats of a case passes. */
export function nonePasses(rates: Rates, k: number): number {
  if (typeof rates === 'number') return (1 - rates) ** k;
  const [a, b] = PARAMETERS[rates];
  return rising(b, a + b, k);
}

function rising(a: number, sum: number, k: number): number {
  let product = 1;
  for (let i = 0; i < k; i++) product *= (a + i) / (sum + i);
  return product;
}
