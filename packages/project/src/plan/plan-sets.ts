import type { EvalSet, Problem } from '@agent-criteria/core';
import { createRegistry, type Registry } from '@agent-criteria/core/host';
import type { PlannedSet } from '@agent-criteria/runner';
import type { Project } from '../config/open-project.ts';
import { type ProblemCollection, uniqueProblems } from '../files/collect-problems.ts';
import type { ChosenSet } from './choose-cases.ts';
import type { GateRules } from './gates/read-gates.ts';
import { loadPlan } from './load-plan.ts';

/** An eval set that is going to run, and what its plugins registered. */
export interface PreparedSet extends PlannedSet {
  readonly registry: Registry;
  /** What its config asks of the whole run; `undefined`: nothing. */
  readonly gates?: GateRules | undefined;
}

export interface PlanOptions {
  /** The file of a config that judges, or the config, whatever else there is. Default: the one beside each set, or the project's. */
  readonly config?: unknown;
  /** Where packages are looked up for a set and a config that are no files. Default: they are not. */
  readonly folder?: string | undefined;
  /** Default: as the project says. */
  readonly compat?: 'adk' | null | undefined;
  readonly project: Project;
  /** Every answer comes from a recording. Default: where the project says so. */
  readonly modelsRecorded?: boolean | undefined;
  /** Only this half is to be done: what the other would need is not looked for. Default: both. */
  readonly only?: 'inferences' | 'scores' | undefined;
}

/** Reads and resolves every set; the mistakes of all of them go to `found`. */
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

/** The plan of a set: of a file, or of one that was recorded. */
export async function planSet(
  evalSet: string | EvalSet,
  cases: readonly string[],
  { config, compat, project, folder, only, modelsRecorded }: PlanOptions,
) {
  const { builtIn, estimateOnly } = project;
  const registry = builtIn && createRegistry(builtIn.plugins);
  const { variables: environment } = project.environment;
  const half = { scoringOnly: only === 'scores', inferencesOnly: only === 'inferences' };
  const models = { modelsRecorded, providers: builtIn?.providers };
  return loadPlan({
    evalSet,
    cases,
    config,
    registry,
    environment,
    compat,
    project: project.config,
    folder,
    estimateOnly,
    ...half,
    ...models,
  });
}

/** The warnings of all sets, each once. */
export function warningsOf(sets: readonly PreparedSet[]): readonly Problem[] {
  return uniqueProblems(sets.flatMap((set) => set.warnings ?? []));
}
