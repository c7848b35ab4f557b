import type { Range } from '@agent-criteria/core';
import { counted } from '@agent-criteria/core/host';
import type { CriterionFacts } from '../instrument.ts';
import type { CaseOutcome } from '../outcome.ts';
import type { RunOutcomes } from '../run-outcomes.ts';
import type { Gates } from './gate.ts';
import { askedGates } from './gate-kinds.ts';
import { gateResults } from './gate-results.ts';

/** The planned size of a run. */
export interface RunSize {
  /** The group of each case, or `null` if it has none. */
  readonly groups: readonly (string | null)[];
  /** The number of repeats of each case. */
  readonly repeats: number;
  /** The criteria that gates on means and quantiles name. */
  readonly criteria?: readonly Pick<CriterionFacts, 'name' | 'range'>[] | undefined;
}

/** A gate that a run of this size can never pass. Plain JSON. */
export interface HopelessGate {
  /** The gate's name in a config: `pass_rate`, `means.response_match_score`. */
  readonly name: string;
  /**
   * The fewest repeats, and the fewest cases with that many, that could pass the gate, or `null` if no number up to
   * 10,000 cases could.
   */
  readonly least: { readonly cases: number; readonly repeats: number } | null;
  /** A sentence without the final full stop. */
  readonly text: string;
}

/** The number of cases in the largest run that is considered. */
const MOST_CASES = 10_000;
const MOST_REPEATS = 1000;

/**
 * Finds the gates that cannot hold in a run of this size even if every repeat passes with the best scores at almost no
 * cost. Evaluates the gates themselves on such a run, so that both always agree. Leaves out gates that need a baseline.
 */
export function gatesThatCannotHold(gates: Gates, size: RunSize): readonly HopelessGate[] {
  const asked: Gates = { ...gates, regression: undefined };
  return askedGates(asked, null).flatMap(({ name, criterion, gates: own }) => {
    const holdsAt = (other: RunSize) => gateResults(perfectRun(other), own, null)[0]?.holds === true;
    if (holdsAt(size) || !isKnown(criterion, size)) return [];
    const repeats = repeatsFor(own, size, holdsAt);
    const cases = fewest(size.groups.length, MOST_CASES, (count) =>
      holdsAt({ ...size, repeats, groups: more(size.groups, count) }),
    );
    const least = cases === null ? null : { cases, repeats };
    return [{ name, least, text: textOf(name, size, least) }];
  });
}

/** Returns the number of repeats that the gate needs, or the planned number if that is enough or no number is. */
function repeatsFor(
  { passHatK, flakyShare, casePassRate }: Gates,
  size: RunSize,
  holdsAt: (other: RunSize) => boolean,
) {
  if (passHatK !== undefined) return Math.max(size.repeats, passHatK.k);
  if (flakyShare === undefined && casePassRate === undefined) return size.repeats;
  return fewest(size.repeats, MOST_REPEATS, (repeats) => holdsAt({ ...size, repeats })) ?? size.repeats;
}

function textOf(name: string, { groups, repeats }: RunSize, least: HopelessGate['least']): string {
  const named = groups.filter((group) => group !== null);
  const together = new Set(named).size < named.length ? ' in these groups' : '';
  const cannot = `${name} cannot hold with ${counted(groups.length, 'case')}${together} and ${counted(repeats, 'repeat')}, even if all of them pass`;
  if (least === null) return `${cannot}, and no number of cases is enough: ask for less`;
  const takes = [
    ...(least.cases > groups.length ? [`${least.cases} cases${together === '' ? '' : ' in groups like these'}`] : []),
    ...(least.repeats > repeats ? [`${least.repeats} repeats (--num-runs ${least.repeats})`] : []),
  ];
  return `${cannot}: it takes ${takes.join(' and ')}, or ask for less`;
}

/** Whether the best score of the gate's criterion is known. */
function isKnown(criterion: string | null, { criteria = [] }: RunSize): boolean {
  if (criterion === null) return true;
  const range = criteria.find(({ name }) => name === criterion)?.range;
  return range !== undefined && bestOf(range) !== null;
}

function bestOf({ min, max, better }: Range): number | null {
  return better === 'higher' ? max : min;
}

/** Returns groups for `count` cases, distributed like these. */
function more(groups: readonly (string | null)[], count: number): readonly (string | null)[] {
  return Array.from({ length: count }, (_, index) => {
    const group = groups[index % groups.length] ?? null;
    return group === null ? null : `${group} ${Math.floor(index / groups.length)}`;
  });
}

/** Returns the smallest number from `from` to `most` that meets a condition, or `null` if none does. */
function fewest(from: number, most: number, holds: (count: number) => boolean): number | null {
  let [low, high] = [from - 1, from];
  while (!holds(high)) {
    if (high >= most) return null;
    [low, high] = [high, Math.min(most, Math.max(high + 1, 2 * high))];
  }
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (holds(middle)) high = middle;
    else low = middle;
  }
  return high;
}

/** Creates a run in which everything passes with the best scores at almost no cost. */
function perfectRun({ groups, repeats, criteria = [] }: RunSize): RunOutcomes {
  const all = Array.from({ length: repeats }, (_, repeat) => repeat);
  return {
    id: '',
    agent: '',
    startedAt: 0,
    finished: true,
    compat: null,
    criteria: criteria.map(({ name, range }) => ({ ...NO_FACTS, name, range })),
    cases: groups.map((group, index): CaseOutcome => {
      // On an unbounded scale, equal numbers have no interval.
      const little = 1e-9 * (index % 2);
      return {
        setId: '',
        caseId: String(index),
        group,
        verdict: 'passed',
        asked: '',
        version: '',
        criteria: criteria.map(({ name, range }) => {
          const best = bestOf(range);
          const isOpen = range.max === null;
          const score = best === null ? null : best + (isOpen ? (range.better === 'higher' ? -little : little) : 0);
          return { name, verdict: 'passed', score, coverage: 1, scores: all.map(() => score) };
        }),
        repeats: all.map((repeat) => ({ repeat, passed: true, answer: null, cost: little })),
      };
    }),
  };
}

const NO_FACTS = { decides: true, byDefault: false, threshold: null, options: '', judges: [], origin: '' } as const;
