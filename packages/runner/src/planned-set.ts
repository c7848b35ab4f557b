import type { Plan, Problem } from '@agent-criteria/core';

/** An eval set of a run: its plan, and the files that it came from. */
export interface PlannedSet {
  readonly plan: Plan;
  /** `null`: it was no file. */
  readonly file: string | null;
  /** `null`: ADK's default criteria, or a config that was no file. */
  readonly configFile: string | null;
  /** What is odd about the files. Default: what is odd about the plan. */
  readonly warnings?: readonly Problem[];
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
    if (id === evalSet.evalSetId) return set;
    return { ...set, plan: { ...set.plan, evalSet: { ...evalSet, evalSetId: id } } };
  });
}
