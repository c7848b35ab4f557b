import { createRandom } from '@agent-criteria/statistics';

/** Seeded random values. */
export interface Chance {
  /** Draws uniformly from 0 to 1. */
  uniform(): number;
  /** Returns 1 with probability `rate`, otherwise 0. */
  outcome(rate: number): number;
  /** Draws from the normal distribution with mean 0 and standard deviation 1. */
  normal(): number;
}

export function createChance(seed: number): Chance {
  const random = createRandom(seed);
  const uniform = () => random() / 2 ** 32;
  return {
    uniform,
    outcome: (rate) => (uniform() < rate ? 1 : 0),
    normal: () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform()),
  };
}
