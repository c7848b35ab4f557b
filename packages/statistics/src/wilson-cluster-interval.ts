import { checkCount, checkProbability } from './check.ts';
import { clusterInterval } from './cluster-interval.ts';
import { studentTQuantile } from './student-t.ts';
import { isUnknown, type Unknown } from './unknown.ts';
import type { EffectiveInterval } from './wilson-effective-interval.ts';
import { wilsonAround } from './wilson-interval.ts';

/**
 * The interval of a pass rate where cases of one cluster (the same document, user or scenario) go together. `rates` has the
 * pass rate of each case, 0 to 1, `clusters` the cluster of each, and `runs` counts the runs of all cases together. `level`:
 * default 0.95. Unknown with fewer than two clusters. `seCases` is cluster-robust.
 *
 * `wilsonEffectiveInterval` with the standard error of `clusterInterval`: the effective number of runs p(1 - p) / se^2 is kept
 * between clusters and runs, and t has clusters - 1 degrees of freedom. Few clusters make it optimistic, as that one.
 *
 * @throws RangeError where a rate is no probability, the lists differ in length, `runs` is below the number of cases, or `level`
 * does not lie between 0 and 1.
 */
export function wilsonClusterInterval(
  rates: readonly number[],
  clusters: readonly (string | number)[],
  runs: number,
  level = 0.95,
): EffectiveInterval | Unknown {
  for (const [index, rate] of rates.entries()) checkProbability(rate, `rates[${index}]`);
  checkCount(runs, 'runs', rates.length);
  const found = clusterInterval(rates, clusters, level);
  if (isUnknown(found)) return found;
  const { se: seCases, clusters: count, df } = found;
  const mean = Math.min(Math.max(found.mean, 0), 1);
  // A spread that is only rounding must not decide.
  const effectiveN = seCases < 1e-9 ? count : Math.min(Math.max((mean * (1 - mean)) / seCases ** 2, count), runs);
  const { low, high } = wilsonAround(mean, effectiveN, -studentTQuantile((1 - level) / 2, df));
  return { mean, seCases, effectiveN, df, low, high };
}
