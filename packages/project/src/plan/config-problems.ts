import { CriteriaError, type Problem } from '@agent-criteria/core';
import type { Project } from '../config/open-project.ts';
import { planSet } from './plan-sets.ts';

/** A config that is in no file yet. */
export interface UnsavedConfig {
  readonly value: unknown;
  /** The folder that its paths are relative to, where it will be written. */
  readonly folder: string;
}

/**
 * Every mistake of a config by itself, as a run would report it; what depends on cases is left to the sets that it judges.
 *
 * @param config A file, or a config that is in none yet.
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
 * Every mistake that would keep a run of an eval set from beginning with a config, but for variables that are not set here: they
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
