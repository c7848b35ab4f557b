import { CriteriaError, type Problem } from '@agent-criteria/core';
import type { Project } from '../config/open-project.ts';
import { planSet } from './plan-sets.ts';

/** A config that is not in a file yet. */
export interface UnsavedConfig {
  readonly value: unknown;
  /** The folder in which it will be written, and to which its paths are relative. */
  readonly folder: string;
}

/**
 * Lists every mistake in a config on its own, as a run would report it. Anything that depends on cases is checked only
 * with the sets that the config judges.
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
 * Lists every mistake that would keep a run of an eval set with a config from starting, except variables that are not
 * set here, because they may be set where the set runs.
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
