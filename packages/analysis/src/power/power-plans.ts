import { isUnknown, type Unknown } from '@agent-criteria/statistics';
import type { RunOutcomes } from '../run-outcomes.ts';
import { type AnnouncedPower, announcedPower } from './announced-power.ts';

/** The power of comparisons of different sizes, estimated from one run. Plain JSON. */
export interface PowerPlans {
  /** A comparison with the cases and repeats of the run. */
  readonly own: AnnouncedPower;
  /** Comparisons with different numbers of cases and, for each, of repeats. */
  readonly plans: readonly AnnouncedPower[];
}

const CASES = [0.5, 1, 2, 4];
const REPEATS = [1, 3, 5, 10];

/**
 * Computes `announcedPower` for half, the same, twice and four times the number of cases, each with different repeats.
 *
 * @param minEffect The smallest change that counts, 0 to 1. Default 0.05.
 */
export function powerPlans(run: RunOutcomes, minEffect?: number): PowerPlans | Unknown {
  const own = announcedPower(run, { minEffect });
  if (isUnknown(own)) return own;
  const cases = [...new Set(CASES.map((times) => Math.max(1, Math.round(times * own.cases))))];
  const repeats = [...new Set([...REPEATS, own.repeats])].sort((a, b) => a - b);
  const plans = cases.flatMap((count) =>
    repeats.map((times) => announcedPower(run, { cases: count, repeats: times, minEffect })),
  );
  return { own, plans: plans.filter((plan): plan is AnnouncedPower => !isUnknown(plan)) };
}
