import { dirname, join, resolve } from 'node:path';
import {
  applyEnvironment,
  findProjectConfig,
  type LoadedEnvironment,
  type LoadedProjectConfig,
  loadEnvironment,
  loadProjectConfig,
  type Settings,
  withSettings,
} from '@agent-criteria/project';
import { RUNS_FOLDER } from '@agent-criteria/runner';
import type { Io } from './io.ts';

/** The configuration of a command. */
export interface Project {
  /** With what variables and flags set. */
  readonly config: LoadedProjectConfig;
  /** What flags set. */
  readonly given: Settings;
  readonly environment: LoadedEnvironment;
  readonly runsFolder: string;
  /** Where answers of judges are kept when no setting says where; `undefined`: in the folder of the config. */
  readonly cacheFolder: string | undefined;
  /** Whether a command finds a run of this folder by its id alone, without a flag and from the same working folder. */
  readonly knowsIds: boolean;
}

/**
 * Reads `.env` files, then the project's config: from the agent's folder upward, or from the working folder.
 *
 * @param given As flags say; they override variables, which override the config.
 * @throws CriteriaError with every mistake in them.
 */
export async function openProject(agent: string | undefined, given: Settings, io: Io): Promise<Project> {
  const environment = await loadEnvironment({ agent, environment: io.environment });
  // Plugins and agents look into the process.
  applyEnvironment(environment);
  const file = await findProjectConfig(agent);
  const before = await loadProjectConfig(file, { environment: io.environment });
  const warnings = [...before.warnings, ...environment.warnings];
  const config = withSettings({ ...before, warnings }, given, 'flag');
  const own = before.settings.runsFolder ?? RUNS_FOLDER;
  const runsFolder = config.settings.runsFolder ?? RUNS_FOLDER;
  const knowsIds = resolve(runsFolder) === resolve(own) && file === (await findProjectConfig());
  const { runsFolder: source = 'default' } = config.origins;
  const isBeside = source === 'flag' || source === 'environment' || file === undefined;
  const cacheFolder = isBeside ? join(dirname(resolve(runsFolder)), 'cache') : undefined;
  return { config, given, environment, runsFolder, cacheFolder, knowsIds };
}
