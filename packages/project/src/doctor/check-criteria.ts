import { CriteriaError, type EvalSet, type Problem } from '@agent-criteria/core';
import type { Plan } from '@agent-criteria/core/host';
import { isReplayOnly } from '../config/call-settings.ts';
import type { Project } from '../config/open-project.ts';
import { isPlaceholderModel } from '../config/project-models.ts';
import { planSet } from '../plan/plan-sets.ts';
import { plannedModels } from '../plan/planned-models.ts';
import { type CheckedModel, checkModels } from './check-models.ts';
import { type CheckedService, checkServices } from './check-services.ts';

/** The needs of a criterion or of the simulated user. */
export interface CheckedNeeds {
  /** Problems that prevent a run, each with a remedy. */
  readonly problems: readonly Problem[];
  readonly models: readonly CheckedModel[];
  readonly services: readonly CheckedService[];
}

export interface CheckedCriteria {
  /** The needs that every run of these cases has, namely those of the simulated user. */
  readonly run: CheckedNeeds;
  readonly criteria: ReadonlyMap<string, CheckedNeeds>;
}

export interface CheckCriteriaOptions {
  readonly evalSet: EvalSet;
  /** An eval config. All of its settings except `criteria` and `agent_criteria` apply to each of `criteria`. */
  readonly config: Readonly<Record<string, unknown>>;
  /** Criteria by name, each given as a threshold or as an object with threshold and options. */
  readonly criteria: Readonly<Record<string, unknown>>;
  /** The folder from which paths of the config and packages are resolved. */
  readonly folder: string;
  readonly project: Project;
}

/**
 * Checks each criterion on its own, as a run with only this criterion would: its models, keys, projects, options and
 * rubrics. Calls no models.
 */
export async function checkCriteria(options: CheckCriteriaOptions): Promise<CheckedCriteria> {
  const { criteria, config, ...rest } = options;
  const own = { ...config };
  for (const key of ['agent_criteria', 'agentCriteria', 'criteria']) delete own[key];
  const run = await needsOf({ ...rest, config: own, entry: null, reported: new Set() });
  const reported = new Set(run.problems.map(placeOf));
  const checked = new Map<string, CheckedNeeds>();
  for (const [name, entry] of Object.entries(criteria)) {
    checked.set(name, await needsOf({ ...rest, config: own, entry: { name, value: entry }, reported }));
  }
  return { run, criteria: checked };
}

/** Identifies a problem by its path and message, so that it is reported only once. */
function placeOf({ path, message }: Problem): string {
  return JSON.stringify([path, message]);
}

interface Asked extends Omit<CheckCriteriaOptions, 'criteria'> {
  /** The criterion, or `null` to find only the needs of the agent and the simulated user. */
  readonly entry: { readonly name: string; readonly value: unknown } | null;
  /** Problems that are already reported elsewhere. */
  readonly reported: ReadonlySet<string>;
}

async function needsOf({ evalSet, config, entry, folder, project, reported }: Asked): Promise<CheckedNeeds> {
  const written = { ...config, criteria: entry === null ? {} : { [entry.name]: entry.value } };
  const only = entry === null ? ('inferences' as const) : undefined;
  const plan = (more: { readonly modelsRecorded?: boolean }) =>
    planSet(evalSet, [], { project, folder, config: written, only, ...more });
  const problems: Problem[] = [];
  let planned: Plan | null = null;
  try {
    planned = (await plan({})).plan;
  } catch (error) {
    if (!CriteriaError.is(error)) throw error;
    const isOwn = (problem: Problem) =>
      !reported.has(placeOf(problem)) && !(entry === null && problem.path === '$.criteria');
    problems.push(...error.problems.filter(isOwn));
    // Models without a key are also listed.
    planned = await plan({ modelsRecorded: true }).then(
      (found) => found.plan,
      () => null,
    );
  }
  const plans = planned === null ? [] : [entry === null ? planned : { ...planned, simulator: null }];
  const recorded = isReplayOnly(project.config);
  const asked = plannedModels(plans).filter(({ model }) => recorded || !isPlaceholderModel(model));
  const signal = new AbortController().signal;
  const models = await checkModels({ project, planned: asked, offline: true, recorded, signal });
  return {
    problems,
    models: models.filter(({ askedBy }) => askedBy.length > 0),
    services: checkServices(plans, project, recorded),
  };
}
