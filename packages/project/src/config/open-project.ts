import { dirname, join, resolve } from 'node:path';
import type { Plugin } from '@agent-criteria/core';
import { applyEnvironment, type LoadedEnvironment, loadEnvironment } from './environment.ts';
import { findProjectConfig, type LoadedProjectConfig, loadProjectConfig } from './project-config.ts';
import { defaultRunsFolder } from './project-root.ts';
import { checkSettings } from './settings/check-settings.ts';
import type { Settings } from './settings/settings-type.ts';
import { withSettings } from './settings/with-settings.ts';

/** Plugins that an application provides, so that projects need not install them. */
export interface BuiltIn {
  readonly plugins: readonly Plugin[];
  /** Model providers, loaded only when a model is requested. */
  readonly providers?: (() => Promise<readonly Plugin[]>) | undefined;
}

export interface OpenProjectOptions {
  /**
   * The module or folder of an agent, whose `.env` is read and from which its config is searched upward. Default: the
   * working folder.
   */
  readonly agent?: string | undefined;
  /** Settings that override variables, which override the config. Default: none. */
  readonly settings?: Settings | undefined;
  /** The variables that are already set. Default `process.env`. */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
  /**
   * Whether variables from `.env` files are set in `process.env`, where agents and plugins look for them. Use `false`
   * in a process that works on several projects, or only reads. Default `true`.
   */
  readonly applyEnvironment?: boolean | undefined;
  /** Default: the plugins that a config contains as values, or else those that were registered by importing them. */
  readonly builtIn?: BuiltIn | undefined;
  /** Whether no calls will be made, as for an estimate, so that judges need no keys. Default `false`. */
  readonly estimateOnly?: boolean | undefined;
}

/** A project with its effective configuration. */
export interface Project {
  /** The config, with the settings from variables and the caller applied. */
  readonly config: LoadedProjectConfig;
  /** The settings that were passed to `openProject`. */
  readonly given: Settings;
  readonly environment: LoadedEnvironment;
  /** The folder for runs: absolute, or relative to the working folder. */
  readonly runsFolder: string;
  /** The folder in which to cache judges' answers if no setting names one, or `undefined` for the config's folder. */
  readonly cacheFolder: string | undefined;
  /** Whether commands in the same working folder find a run in this folder by its id alone, without a flag. */
  readonly knowsIds: boolean;
  readonly builtIn: BuiltIn | undefined;
  readonly estimateOnly?: boolean | undefined;
}

/**
 * Reads `.env` files, then the project's config. Also sets the variables from `.env` files in `process.env`, unless
 * `applyEnvironment` is `false`.
 * @throws CriteriaError USAGE for settings that the command would reject, or with every mistake in the files.
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
  const unset = await defaultRunsFolder();
  const own = before.settings.runsFolder ?? unset;
  const runsFolder = config.settings.runsFolder ?? unset;
  const knowsIds = resolve(runsFolder) === resolve(own) && file === (await findProjectConfig());
  const { runsFolder: source = 'default' } = config.origins;
  const isBeside = source === 'flag' || source === 'environment' || file === undefined;
  const cacheFolder = isBeside ? join(dirname(resolve(runsFolder)), 'cache') : undefined;
  return { config, given, environment, runsFolder, cacheFolder, knowsIds, builtIn, estimateOnly };
}
