import { createRandom, isUnknown, normalQuantile, signFlipExact } from '@agent-criteria/statistics';
import type { Drop } from './drop.ts';
import type { Pilot, PilotGroups } from './pilot.ts';

const MOST_DRAWS = 240;
const FEWEST_DRAWS = 80;
/** The number of group repeats to draw, within the limits above. */
const WORK = 40_000;
/** Above this number of changed groups, the normal approximation of the sign-flip test is good enough. */
const EXACT_UP_TO = 12;

/**
 * Simulates, with a fixed seed, the probability that a comparison of grouped cases finds a fall by the sign-flip test
 * over whole groups. A fall affects a whole group: with `all`, each of its repeats may be lost; with `some`, it always
 * fails.
 */
export function chanceOverGroups(pilot: Pilot & { readonly groups: PilotGroups }, drop: Drop): number {
  const { groups, passRate, cases } = pilot;
  if (drop.size > passRate) return 0;
  const count = groupsIn(groups, { cases }, drop.cases);
  const draws = Math.min(MOST_DRAWS, Math.max(FEWEST_DRAWS, Math.round(WORK / (count * drop.repeats))));
  // With few groups, not even a fall of all of them would be found.
  if ((2 / 2 ** count > 0.05 ? 2 : 1) / 2 ** count > drop.alpha) return 0;
  const random = createRandom(1);
  const uniform = () => (random() >>> 0) / 2 ** 32;
  let found = 0;
  for (let draw = 0; draw < draws; draw++) if (isFound(differencesOf(uniform, pilot, drop, count), drop)) found += 1;
  return found / draws;
}

/** Returns the number of groups among `cases` cases if groups are as large as in the pilot. */
export function groupsIn({ shares }: PilotGroups, pilot: Pick<Pilot, 'cases'>, cases: number): number {
  return Math.max(1, Math.round((shares.length * cases) / pilot.cases));
}

interface GroupDifferences {
  /** The change of the pass rate in each group, summed over its cases. */
  readonly sums: readonly number[];
  readonly cases: number;
}

function differencesOf(
  uniform: () => number,
  { groups: { shares, sizes, own }, passRate }: Pilot & { readonly groups: PilotGroups },
  { shape, size, repeats }: Drop,
  count: number,
): GroupDifferences {
  const lost = size / passRate;
  const anyOf = <T>(all: readonly T[]) => all[Math.floor(uniform() * all.length)] as T;
  // Uses all groups equally often, in turn from a random start.
  const first = Math.floor(uniform() * shares.length);
  const sums: number[] = [];
  let cases = 0;
  for (let index = 0; index < count; index++) {
    const place = (first + index) % shares.length;
    const members = sizes[place] as number;
    const repeat = () => {
      const share = anyOf(uniform() < own ? (shares[place] as readonly number[]) : anyOf(shares));
      // Passes as many of its cases as the share says, rounding at random.
      return Math.floor(share * members + uniform()) / members;
    };
    const breaks = uniform() < lost;
    let [before, after] = [0, 0];
    for (let t = 0; t < repeats; t++) {
      before += repeat();
      const share = repeat();
      const isLost = uniform() < lost;
      after += (shape === 'some' ? breaks : isLost) ? 0 : share;
    }
    sums.push((members * (after - before)) / repeats);
    cases += members;
  }
  return { sums, cases };
}

function isFound({ sums, cases }: GroupDifferences, { minEffect, alpha }: Drop): boolean {
  const total = sums.reduce((all, sum) => all + sum, 0);
  if (total / cases > -minEffect + 1e-12) return false;
  const squares = sums.reduce((all, sum) => all + sum * sum, 0);
  const needed = normalQuantile(1 - alpha / 2) * Math.sqrt(squares);
  const changed = sums.filter((sum) => Math.abs(sum) >= 1e-12);
  // Far from the limit, the exact test agrees.
  if (changed.length > EXACT_UP_TO || Math.abs(total) < 0.7 * needed) return Math.abs(total) >= needed;
  const exact = signFlipExact(changed);
  return !isUnknown(exact) && (2 / 2 ** sums.length > 0.05 ? exact.p : exact.midP) <= alpha;
}
