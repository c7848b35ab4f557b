import { basename, dirname, extname, join, resolve } from 'node:path';
import process from 'node:process';
import { CriteriaError, type Plugin, type Problem } from '@agent-criteria/core';
import { isObject } from '@agent-criteria/formats';
import type { RunSettings } from '@agent-criteria/runner';
import { collectProblems } from '../files/collect-problems.ts';
import { importModule } from '../files/import-module.ts';
import { maskedLoadError } from '../files/masked-load-error.ts';
import { folderOf, kindOf } from '../files/path-kind.ts';
import { readJsonFile } from '../files/read-json-file.ts';
import type { ProjectConfig } from './define-config.ts';
import { loadPlugins } from './load-plugins.ts';
import { mistakesInSettings } from './settings/check-settings.ts';
import { environmentSettings } from './settings/environment-settings.ts';
import { spreadTexts } from './settings/setting-texts.ts';
import { settingOf, settingsFrom } from './settings/setting-values.ts';
import { settingNames, settings } from './settings/settings.ts';
import type { SettingName, Settings } from './settings/settings-type.ts';
import { type SettingOrigins, withSettings } from './settings/with-settings.ts';
import { type VariantPaths, variantsFrom } from './variants.ts';

const NAME = 'agent-criteria.config';
/** The file names, in order of precedence within a folder. */
const NAMES = ['.ts', '.mts', '.js', '.mjs', '.json'].map((suffix) => NAME + suffix);

/** A project's config, overlaid with the settings from the environment, ready to be used. */
export interface LoadedProjectConfig {
  /** The config file, or `null` if there is none. */
  readonly file: string | null;
  /** The folder that its paths are relative to. */
  readonly folder: string;
  /**
   * The settings from the file, the environment and flags. Paths from the file are absolute, except that of an eval
   * config; others are relative to the working folder.
   */
  readonly settings: Settings;
  /** The source of each setting that is set. */
  readonly origins: SettingOrigins;
  readonly plugins: readonly Plugin[];
  readonly warnings: readonly Problem[];
}

/**
 * Finds the `agent-criteria.config.ts` (or `.mts`, `.js`, `.mjs`, `.json`) in an agent's folder, or in the nearest
 * folder above it that has one, up to the root of the file system.
 *
 * @param from An agent's folder or module. For a URL, or by default, the search starts at the working folder.
 */
export async function findProjectConfig(from = '.'): Promise<string | undefined> {
  let folder = resolve(await folderOf(from));
  for (;;) {
    const file = await projectConfigIn(folder);
    if (file !== undefined) return file;
    const above = dirname(folder);
    if (above === folder) return undefined;
    folder = above;
  }
}

/** Returns the config file in a folder, if there is one. */
export async function projectConfigIn(folder: string): Promise<string | undefined> {
  for (const name of NAMES) {
    const file = join(folder, name);
    if ((await kindOf(file)) === 'file') return file;
  }
  return undefined;
}

/** Returns empty settings, without a config or anything from the environment. */
export function withoutProjectConfig(): LoadedProjectConfig {
  return { file: null, folder: '.', settings: {}, origins: {}, plugins: [], warnings: [] };
}

/**
 * Loads a project's config with the plugins that it names, and overlays the settings from the environment. Without a
 * file, returns only the settings from the environment.
 *
 * @param file The result of `findProjectConfig`.
 * @param environment Variables that override the file, such as `AGENT_CRITERIA_JUDGE_MODEL`. Default `process.env`.
 * @throws CriteriaError with every mistake in the file and the environment, naming file and path.
 */
export async function loadProjectConfig(
  file: string | undefined,
  {
    environment = process.env,
  }: { readonly environment?: Readonly<Record<string, string | undefined>> | undefined } = {},
): Promise<LoadedProjectConfig> {
  const found = collectProblems();
  const project = file === undefined ? withoutProjectConfig() : await found.attempt(() => loadFile(file));
  const variables = await found.attempt(() => environmentSettings(environment));
  found.throwIfAny();
  const loaded = withSettings(project as LoadedProjectConfig, variables?.settings ?? {}, 'environment');
  return { ...loaded, warnings: [...loaded.warnings, ...(variables?.warnings ?? [])] };
}

async function loadFile(file: string): Promise<LoadedProjectConfig> {
  const { value, warnings: fileWarnings } = await readConfigFile(file);
  checkProjectConfig(value, file);
  const folder = dirname(resolve(file));
  const found = collectProblems();
  const plugins: Plugin[] = [];
  for (const [index, plugin] of (value.plugins ?? []).entries()) {
    const path = `$.plugins[${index}]`;
    const loaded =
      typeof plugin === 'string'
        ? await found.attempt(() => loadPlugins([plugin], folder, file, () => path))
        : [plugin];
    plugins.push(...(loaded ?? []));
  }
  found.throwIfAny();
  const spread = spreadTexts(value);
  const own = settingsFrom(settingNames.map((name) => [name, fromFolder(name, settingOf(spread, name), folder)]));
  const warnings = [...fileWarnings, ...(await unusedBeside(file))];
  const empty = { ...withoutProjectConfig(), file, folder, plugins, warnings };
  return withSettings(empty, own, 'config');
}

/** Makes a path from the file absolute, unless it is the path of an eval config, which is resolved when it is read. */
function fromFolder(name: SettingName, value: unknown, folder: string): unknown {
  const { type } = settings[name];
  if (type === 'variants' && isObject(value)) return variantsFrom(folder, value as VariantPaths);
  if (type === 'files' && Array.isArray(value)) {
    return value.map((file: unknown) => (typeof file === 'string' ? resolve(folder, file) : file));
  }
  const isPath = type === 'file' || type === 'recordingFile' || type === 'folder' || type === 'folderOrFalse';
  return isPath && typeof value === 'string' ? resolve(folder, value) : value;
}

/** Warns of other configs in the folder, which are not used. */
async function unusedBeside(file: string): Promise<readonly Problem[]> {
  const unused: Problem[] = [];
  for (const name of NAMES) {
    const other = join(dirname(file), name);
    if (name === basename(file) || (await kindOf(other)) !== 'file') continue;
    const message = `not used, because ${basename(file)} next to it is the config; keep one of them`;
    unused.push({ code: 'INVALID_CONFIG', file: other, message });
  }
  return unused;
}

async function readConfigFile(file: string): Promise<{ value: unknown; warnings: readonly Problem[] }> {
  if (extname(file) === '.json') {
    const { value, warnings } = await readJsonFile(file);
    // Comments only matter in files that ADK also reads.
    return { value, warnings: warnings.filter(({ code }) => code !== 'NOT_JSON') };
  }
  let loaded: Record<string, unknown>;
  try {
    loaded = await importModule(file);
  } catch (error) {
    const message = `the config does not load: ${maskedLoadError(error)}`;
    throw new CriteriaError({ code: 'INVALID_CONFIG', file, message }, { cause: error });
  }
  if (loaded.default !== undefined) return { value: await loaded.default, warnings: [] };
  const message = `the config has no default export: write export default defineConfig({ … }) (it exports ${Object.keys(loaded).join(', ') || 'nothing'})`;
  throw new CriteriaError({ code: 'INVALID_CONFIG', file, message });
}

const ITS_OWN_CONFIG = 'unknown key "criteria": this is a project config; write { config: { criteria: { … } } }';

function checkProjectConfig(value: unknown, file: string): asserts value is ProjectConfig {
  const criteria = isObject(value) && value.criteria !== undefined;
  const more = ['$schema', ...(criteria ? ['criteria'] : [])];
  const mistakes = mistakesInSettings(value, '$', settingNames, { more, texts: true }).concat(
    criteria ? [['$.criteria', ITS_OWN_CONFIG]] : [],
  );
  if (mistakes.length === 0) return;
  throw new CriteriaError(
    mistakes.slice(0, 50).map(([path, message]) => ({ code: 'INVALID_CONFIG' as const, file, path, message })),
  );
}

/** Overlays the project's settings with the caller's settings for a run. */
export function withProjectSettings(options: RunSettings, loaded: LoadedProjectConfig | undefined): RunSettings {
  const { policies, signal, drain, onEvent } = options;
  const project: RunSettings = loaded?.settings ?? {};
  return {
    turnTimeout: options.turnTimeout ?? project.turnTimeout,
    caseTimeout: options.caseTimeout ?? project.caseTimeout,
    runTimeout: options.runTimeout ?? project.runTimeout,
    criterionTimeout: options.criterionTimeout ?? project.criterionTimeout,
    maskSecrets: options.maskSecrets ?? project.maskSecrets,
    environment: options.environment,
    alsoMasked: options.alsoMasked,
    redact: options.redact ?? project.redact,
    prices: options.prices ?? project.prices,
    concurrency: {
      agents: options.concurrency?.agents ?? project.concurrency?.agents,
      scoring: options.concurrency?.scoring ?? project.concurrency?.scoring,
    },
    policies,
    signal,
    drain,
    onEvent,
  };
}

/** Returns the folder for runs, if the project sets one. */
export function projectRunsFolder({ settings }: LoadedProjectConfig): string | undefined {
  return settings.runsFolder;
}
