import { groupBy } from '@agent-criteria/results';
import { createRandom } from '@agent-criteria/statistics';
import { meanOf } from './estimate.ts';
import type { CaseOutcome } from './outcome.ts';

/** Cases that pass and fail together, by the prefix of their ids, without a declared group. Plain JSON. */
export interface UndeclaredGroups {
  /** The number of prefixes that several cases share. */
  readonly groups: number;
  /** The number of cases that share a prefix. */
  readonly cases: number;
  /** The prefix with the most similar cases: `invoice-17-`. */
  readonly example: string;
  /** The probability that cases with one prefix would be this similar by chance alone. */
  readonly p: number;
}

/** Fewer prefixes than this are more likely to be topics than groups. */
const FEWEST_GROUPS = 5;
const ALARM = 0.001;
const DRAWS = 3999;
/** The number of cases that are tested in larger runs. */
const MOST_CASES = 2000;

/**
 * Detects whether cases with the same prefix pass and fail together, by a permutation test (at the 0.1% level) of how
 * far apart the pass rates of the prefixes are. @returns `null` if they do not, or the run declares groups.
 */
export function undeclaredGroups(all: readonly CaseOutcome[]): UndeclaredGroups | null {
  if (all.some(({ group }) => group !== null)) return null;
  const judged = all.slice(0, MOST_CASES).flatMap(({ setId, caseId, repeats }) => {
    const passes = repeats.flatMap(({ passed }) => (passed === null ? [] : [passed ? 1 : 0]));
    return passes.length === 0 ? [] : [{ setId, caseId, rate: meanOf(passes) }];
  });
  const rates = judged.map(({ rate }) => rate);
  if (rates.every((rate) => rate === rates[0])) return null;
  const candidates = new Map<string, readonly string[]>();
  for (const beginningOf of [upToLastPart, upToFirstPart]) {
    const keys = judged.map(({ setId, caseId }) => JSON.stringify([setId, beginningOf(caseId)]));
    if (isGrouping(keys)) candidates.set(JSON.stringify(keys), keys);
  }
  let found: UndeclaredGroups | null = null;
  for (const keys of candidates.values()) {
    const p = Math.min(1, chanceOf(rates, keys) * candidates.size);
    if (p <= ALARM && (found === null || p < found.p)) found = { ...described(rates, keys), p };
  }
  return found;
}

const SEPARATOR = /[-_/.:\s]/;

/** `invoice-17-total` and `invoice-17-date` begin with `invoice-17-`, `refund12` and `refund7` with `refund`. */
function upToLastPart(id: string): string {
  const without = (isPart: (character: string) => boolean) => {
    let end = id.length;
    while (end > 0 && isPart(id.charAt(end - 1))) end -= 1;
    return id.slice(0, end);
  };
  const withoutNumber = without((character) => character >= '0' && character <= '9');
  return withoutNumber === id ? without((character) => !SEPARATOR.test(character)) : withoutNumber;
}

/** `invoice-17-total` begins with `invoice-`. */
function upToFirstPart(id: string): string {
  const at = id.search(SEPARATOR);
  return at < 0 ? id : id.slice(0, at + 1);
}

/** Whether there are enough groups of several cases, with most of the cases in them. */
function isGrouping(keys: readonly string[]): boolean {
  const shared = sharedOf(keys);
  const together = shared.reduce((sum, [, members]) => sum + members.length, 0);
  return shared.length >= FEWEST_GROUPS && together >= keys.length / 2;
}

/** Returns the indices of cases that share a key. */
function sharedOf(keys: readonly string[]): readonly (readonly [string, readonly number[]])[] {
  const places = groupBy(keys.keys(), (index) => keys[index] as string);
  return [...places].filter(([, members]) => members.length > 1);
}

/** Computes the probability that shuffled rates separate the keys at least as far. Stops once it cannot be small. */
function chanceOf(rates: readonly number[], keys: readonly string[]): number {
  const groups = sharedOf(keys).map(([, members]) => members);
  const mean = meanOf(rates);
  const values = rates.map((rate) => rate - mean);
  const apart = () => {
    let sum = 0;
    for (const members of groups) {
      let own = 0;
      for (const member of members) own += values[member] as number;
      sum += own ** 2 / members.length;
    }
    return sum;
  };
  const seen = apart() - 1e-9;
  const random = createRandom(1);
  let hits = 0;
  for (let draw = 1; draw <= DRAWS; draw++) {
    for (let index = values.length - 1; index > 0; index--) {
      const other = Math.floor((random() / 2 ** 32) * (index + 1));
      [values[index], values[other]] = [values[other] as number, values[index] as number];
    }
    if (apart() >= seen) hits += 1;
    if (hits >= 10) return hits / draw;
  }
  return (1 + hits) / (1 + DRAWS);
}

function described(rates: readonly number[], keys: readonly string[]): Omit<UndeclaredGroups, 'p'> {
  const shared = sharedOf(keys);
  const mean = meanOf(rates);
  const distance = (members: readonly number[]) =>
    Math.abs(members.reduce((sum, member) => sum + (rates[member] as number) - mean, 0));
  const [first] = [...shared].sort(([, a], [, b]) => distance(b) - distance(a));
  const [, example] = JSON.parse(first?.[0] ?? '["",""]') as readonly [string, string];
  return { groups: shared.length, cases: shared.reduce((sum, [, members]) => sum + members.length, 0), example };
}
