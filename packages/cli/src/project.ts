import { dirname, join, resolve } from 'node:path';
import { RUNS_FOLDER } from '@agent-criteria/runner';
import {
  applyEnvironment,
  findProjectConfig,
  type LoadedEnvironment,
  type LoadedProjectConfig,
  loadEnvironment,
  loadProjectConfig,
  projectRunsFolder,
} from '@agent-criteria/runner/load';
import type { Io } from './io.ts';

/** What is in force where a command runs. */
export interface Project {
  readonly config: LoadedProjectConfig;
  readonly environment: LoadedEnvironment;
  readonly runsFolder: string;
  /** Where answers of judges are kept, where the config does not say it; `undefined`: in the folder of the config. */
  readonly cacheFolder: string | undefined;
  /** Whether a command finds a run of this folder by its id alone, without a flag and from the same working folder. */
  readonly knowsIds: boolean;
}

/**
 * Reads `.env` files, then the project's config: from the agent's folder upward, or from the working folder.
 *
 * @param runsFolder As a flag says; it beats the config.
 * @throws CriteriaError with every mistake in them.
 */
export async function openProject(agent: string | undefined, runsFolder: string | undefined, io: Io): Promise<Project> {
  const environment = await loadEnvironment({ agent, environment: io.environment });
  // Plugins and agents look into the process.
  applyEnvironment(environment);
  const file = await findProjectConfig(agent);
  const config = await loadProjectConfig(file);
  const own = projectRunsFolder(config) ?? RUNS_FOLDER;
  const knowsIds =
    (runsFolder === undefined || resolve(runsFolder) === resolve(own)) && file === (await findProjectConfig());
  const beside = runsFolder ?? (file === undefined ? RUNS_FOLDER : undefined);
  const cacheFolder = beside === undefined ? undefined : join(dirname(resolve(beside)), 'cache');
  return { config, environment, runsFolder: runsFolder ?? own, cacheFolder, knowsIds };
}
