import { dirname, join, resolve } from 'node:path';
import type { Plugin } from '@agent-criteria/core';
import { RUNS_FOLDER } from '@agent-criteria/runner';
import { applyEnvironment, type LoadedEnvironment, loadEnvironment } from './environment.ts';
import { findProjectConfig, type LoadedProjectConfig, loadProjectConfig } from './project-config.ts';
import { checkSettings } from './settings/check-settings.ts';
import type { Settings } from './settings/settings-type.ts';
import { withSettings } from './settings/with-settings.ts';

/** What an application brings with it, so that no project has to install it. */
export interface BuiltIn {
  readonly plugins: readonly Plugin[];
  /** Model providers, which are loaded only when a model is asked for. */
  readonly providers?: (() => Promise<readonly Plugin[]>) | undefined;
}

export interface OpenProjectOptions {
  /** The module or folder of an agent: its config and `.env` are looked for from there upward. Default: the working folder. */
  readonly agent?: string | undefined;
  /** These override variables, which override the config. Default: none. */
  readonly settings?: Settings | undefined;
  /** The variables that are set already. Default `process.env`. */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
  /**
   * Whether what `.env` files add is set in `process.env`, where agents and plugins look for it. `false` is for a process that
   * works on several projects, or only reads. Default `true`.
   */
  readonly applyEnvironment?: boolean | undefined;
  /** Default: the plugins that a config has as values, else those that were registered by importing them. */
  readonly builtIn?: BuiltIn | undefined;
  /** Nothing will be called, as for an estimate: keys of judges are not looked for. Default `false`. */
  readonly estimateOnly?: boolean | undefined;
}

/** A project as it is configured where an application works. */
export interface Project {
  /** With what variables and the given settings set. */
  readonly config: LoadedProjectConfig;
  /** The settings that `openProject` got. */
  readonly given: Settings;
  readonly environment: LoadedEnvironment;
  /** Where runs are kept: an absolute path, or one from the working folder. */
  readonly runsFolder: string;
  /** Where answers of judges are kept when no setting says where; `undefined`: in the folder of the config. */
  readonly cacheFolder: string | undefined;
  /** Whether a run of this folder is found by its id alone, without a flag and from the same working folder. */
  readonly knowsIds: boolean;
  readonly builtIn: BuiltIn | undefined;
  /** As `openProject` got it. */
  readonly estimateOnly?: boolean | undefined;
}

/**
 * Reads `.env` files, then the project's config. What `.env` files add is set in `process.env` too, unless `applyEnvironment`
 * is `false`.
 *
 * @throws CriteriaError USAGE for given settings that the command refuses; with every mistake in what is read.
 */
export async function openProject(options: OpenProjectOptions = {}): Promise<Project> {
  const {
    agent,
    settings: given = {},
    environment: variables = process.env,
    applyEnvironment: applies,
    builtIn,
    estimateOnly,
  } = options;
  checkSettings(given);
  const environment = await loadEnvironment({ agent, environment: variables });
  if (applies !== false) applyEnvironment(environment);
  const file = await findProjectConfig(agent);
  const before = await loadProjectConfig(file, { environment: variables });
  const warnings = [...before.warnings, ...environment.warnings];
  const config = withSettings({ ...before, warnings }, given, 'flag');
  const own = before.settings.runsFolder ?? RUNS_FOLDER;
  const runsFolder = config.settings.runsFolder ?? RUNS_FOLDER;
  const knowsIds = resolve(runsFolder) === resolve(own) && file === (await findProjectConfig());
  const { runsFolder: source = 'default' } = config.origins;
  const isBeside = source === 'flag' || source === 'environment' || file === undefined;
  const cacheFolder = isBeside ? join(dirname(resolve(runsFolder)), 'cache') : undefined;
  return { config, given, environment, runsFolder, cacheFolder, knowsIds, builtIn, estimateOnly };
}
