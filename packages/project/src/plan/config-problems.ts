import { CriteriaError, type Problem } from '@agent-criteria/core';
import type { Project } from '../config/open-project.ts';
import { planSet } from './plan-sets.ts';

/** A config that is not in a file yet. */
export interface UnsavedConfig {
  readonly value: unknown;
  /** The folder that its paths are relative to, where it will be written. */
  readonly folder: string;
}

/**
 * Lists every mistake of a config by itself, as a run would report it. What depends on cases is checked with the sets that it judges.
 *
 * @param config A file, or a config that is not in a file yet.
 */
export async function configProblemsWithoutSets(
  config: string | UnsavedConfig,
  project: Project,
): Promise<readonly Problem[]> {
  const empty = { evalSetId: 'none', evalCases: [] };
  try {
    const how = typeof config === 'string' ? { config } : { config: config.value, folder: config.folder };
    await planSet(empty, [], { project, ...how });
    return [];
  } catch (error) {
    if (!CriteriaError.is(error)) throw error;
    return error.problems.filter(({ path }) => path !== '$.evalCases');
  }
}

/**
 * Lists every mistake that would keep a run of an eval set from beginning with a config, except for variables that are not set here: they
 * may be set where the set is run.
 *
 * @param config Default: the config that judges the set now.
 */
export async function configProblems(
  setFile: string,
  project: Project,
  config?: UnsavedConfig | undefined,
): Promise<readonly Problem[]> {
  try {
    await planSet(setFile, [], { project, config: config?.value, folder: config?.folder });
    return [];
  } catch (error) {
    if (!CriteriaError.is(error)) throw error;
    return error.problems.filter(({ code }) => code !== 'MISSING_ENVIRONMENT');
  }
}
