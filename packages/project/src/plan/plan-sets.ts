import type { EvalSet, Problem } from '@agent-criteria/core';
import { createRegistry, type Registry } from '@agent-criteria/core/host';
import type { PlannedSet } from '@agent-criteria/runner';
import type { Project } from '../config/open-project.ts';
import { type ProblemCollection, uniqueProblems } from '../files/collect-problems.ts';
import type { ChosenSet } from './choose-cases.ts';
import type { GateRules } from './gates/read-gates.ts';
import { type LoadedPlan, type LoadPlanOptions, loadPlan } from './load-plan.ts';

/** An eval set that is ready to run, and what its plugins registered. */
export interface PreparedSet extends PlannedSet {
  readonly registry: Registry;
  /** The gates in its config, or `undefined` if it has none. */
  readonly gates?: GateRules | undefined;
}

/** How to plan the sets of a project. */
export interface PlanOptions extends Pick<LoadPlanOptions, 'config' | 'folder' | 'compat' | 'modelsRecorded' | 'only'> {
  readonly project: Project;
}

/** Reads and resolves every set. Adds the mistakes in all of them to `found`. */
export async function planSets(
  chosen: readonly ChosenSet[],
  options: PlanOptions,
  found: ProblemCollection,
): Promise<PreparedSet[]> {
  const planned: PreparedSet[] = [];
  for (const { file, cases } of chosen) {
    const set = await found.attempt(() => planSet(file, cases, options));
    if (set) planned.push({ ...set, file });
  }
  return planned;
}

/** Plans a set that comes from a file or from a recording. */
export async function planSet(
  evalSet: string | EvalSet,
  cases: readonly string[],
  { project, ...options }: PlanOptions,
): Promise<LoadedPlan> {
  const { builtIn, estimateOnly, config, environment } = project;
  return loadPlan({
    ...options,
    evalSet,
    cases,
    project: config,
    registry: builtIn && createRegistry(builtIn.plugins),
    providers: builtIn?.providers,
    environment: environment.variables,
    estimateOnly,
  });
}

/** Returns the warnings about all sets, each once. */
export function warningsOf(sets: readonly PreparedSet[]): readonly Problem[] {
  return uniqueProblems(sets.flatMap((set) => set.warnings ?? []));
}
