import type { Problem } from '@agent-criteria/core';
import type { Plan } from '@agent-criteria/core/host';
import { shownPath } from './shown-path.ts';

/** An eval set of a run: its plan, and the files that it came from. */
export interface PlannedSet {
  readonly plan: Plan;
  /** `null`: it was no file. */
  readonly file: string | null;
  /** `null`: ADK's default criteria, or a config that was no file. */
  readonly configFile: string | null;
  /** What is odd about the files. Default: what is odd about the plan. */
  readonly warnings?: readonly Problem[] | undefined;
}

/** How many cases the sets have together. */
export function countCases(sets: readonly PlannedSet[]): number {
  return sets.reduce((sum, { plan }) => sum + plan.evalSet.evalCases.length, 0);
}

/**
 * The same sets, each under an id of its own: the second "home" is "home (2)" in this run, since ids find what was
 * recorded. (ADK stops at the second.)
 */
export function withUniqueIds<Set extends PlannedSet>(sets: readonly Set[]): Set[] {
  const taken = new Set<string>();
  return sets.map((set) => {
    const { evalSet } = set.plan;
    let id = evalSet.evalSetId;
    for (let count = 2; taken.has(id); count++) id = `${evalSet.evalSetId} (${count})`;
    taken.add(id);
    return withId(set, id);
  });
}

/**
 * The sets under the ids that a run has given them: of several "home", each is found by its file, so that the second one
 * alone is not taken for the first.
 */
export function reuseSetIds<Set extends PlannedSet>(
  recorded: readonly { readonly id: string; readonly file: string | null }[],
  sets: readonly Set[],
): Set[] {
  const left = [...recorded];
  const named = sets.map((set) => {
    const { evalSetId } = set.plan.evalSet;
    const file = shownPath(set.file);
    const index = left.findIndex((one) => one.file !== null && one.file === file && isIdOf(one.id, evalSetId));
    const [found] = index === -1 ? [] : left.splice(index, 1);
    return found === undefined ? set : withId(set, found.id);
  });
  return withUniqueIds(named);
}

/** "home (2)" is an id of "home". */
function isIdOf(id: string, own: string): boolean {
  return id === own || (id.startsWith(`${own} (`) && /^\(\d+\)$/.test(id.slice(own.length + 1)));
}

function withId<Set extends PlannedSet>(set: Set, id: string): Set {
  const { evalSet } = set.plan;
  if (id === evalSet.evalSetId) return set;
  return { ...set, plan: { ...set.plan, evalSet: { ...evalSet, evalSetId: id } } };
}
