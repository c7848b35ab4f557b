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
  /** The gates of its config; `undefined` if it has none. */
  readonly gates?: GateRules | undefined;
}

export interface PlanOptions {
  /** A config or its file, which overrides any other. Default: the one next to each set, or the project's. */
  readonly config?: unknown;
  /** The folder from which packages are resolved if set and config are values. Default: packages are not looked up. */
  readonly folder?: string | undefined;
  /** Default: that of the project. */
  readonly compat?: 'adk' | null | undefined;
  readonly project: Project;
  /** Whether every answer comes from a recording. Default: as in the project. */
  readonly modelsRecorded?: boolean | undefined;
  /** The half of the run to prepare: the needs of the other half are not looked for. Default: both. */
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
