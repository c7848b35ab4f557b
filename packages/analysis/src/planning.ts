import { isUnknown, normalQuantile, type Unknown, type VarianceComponents } from '@agent-criteria/statistics';
import type { Estimate } from './estimate.ts';

/**
 * What a comparison with another run of the same cases would find. Differences are of the pass rate, 0 to 1. Plain JSON.
 */
export interface Planning {
  readonly cases: number;
  readonly repeats: number;
  /** Whether the noise of repeats was measured. Otherwise all of the spread between cases is taken for noise: the worst case. */
  readonly measured: boolean;
  /** The smallest change that is found four times out of five. */
  readonly detects: number | Unknown;
  /** The same with twice as many cases, and with twice as many repeats. */
  readonly withTwiceTheCases: number | Unknown;
  readonly withTwiceTheRepeats: number | Unknown;
  /** How many cases, with as many repeats as now, find a change of `minEffect`. */
  readonly casesForMinEffect: number | Unknown;
  readonly minEffect: number;
}

/** Of a test at 5% that finds a true change with a probability of 80%. */
const Z = normalQuantile(0.975) + normalQuantile(0.8);

/**
 * Plans a comparison from one run. A change is thought of as one that half of the cases have, twice as large, and the others
 * not: then the variance of differences between cases is the square of the change, and the smallest change that is found is
 * Z sqrt(2 w / (r (n - Z^2))), where w is the variance within cases, r counts repeats and n cases: the formula of
 * `mdePaired` solved for it.
 */
export function planning(
  passRate: Estimate,
  variance: VarianceComponents | Unknown | null,
  repeats: number,
  minEffect: number,
): Planning {
  const { cases, value } = passRate;
  const measured = variance !== null && !isUnknown(variance);
  const within = measured ? variance.within : value === null ? null : value * (1 - value);
  const at = (n: number, r: number) => smallestChange(within, n, r);
  return {
    cases,
    repeats,
    measured,
    detects: at(cases, repeats),
    withTwiceTheCases: at(2 * cases, repeats),
    withTwiceTheRepeats: at(cases, 2 * repeats),
    casesForMinEffect: casesFor(within, repeats, minEffect),
    minEffect,
  };
}

function smallestChange(within: number | null, cases: number, repeats: number): number | Unknown {
  if (within === null) return { unknown: 'nothing was judged' };
  if (within === 0) return noSpread();
  const room = cases - Z ** 2;
  if (room <= 0) return { unknown: `at least ${Math.floor(Z ** 2) + 1} cases are needed` };
  const change = Z * Math.sqrt((2 * within) / (repeats * room));
  return change < 1 ? change : { unknown: 'no change is large enough to be found' };
}

function casesFor(within: number | null, repeats: number, change: number): number | Unknown {
  if (within === null) return { unknown: 'nothing was judged' };
  if (within === 0) return noSpread();
  return Math.ceil(Z ** 2 * (1 + (2 * within) / (repeats * change ** 2)));
}

function noSpread(): Unknown {
  return { unknown: 'all repeats gave the same result, so the noise is too small to measure' };
}
