import { dirname, extname, join, resolve } from 'node:path';
import { CriteriaError, didYouMean, type Plugin, type Problem } from '@agent-criteria/core';
import { collectProblems } from './collect-problems.ts';
import type { ProjectConfig } from './define-config.ts';
import { agentFolder, kindOf } from './find-files.ts';
import { describeLoadError, importModule } from './import-module.ts';
import { loadPlugins } from './load-plugins.ts';
import { readJsonFile } from './read-json-file.ts';

const NAME = 'agent-criteria.config';
/** In this order, where a folder has several. */
const NAMES = ['.ts', '.mts', '.js', '.mjs', '.json'].map((suffix) => NAME + suffix);

/** A project's config, ready to be used. */
export interface LoadedProjectConfig {
  /** `null`: there is none. */
  readonly file: string | null;
  /** What its paths are relative to. */
  readonly folder: string;
  /** As written. */
  readonly value: ProjectConfig;
  /** Its plugins, loaded. */
  readonly plugins: readonly Plugin[];
  readonly warnings: readonly Problem[];
}

/**
 * The `agent-criteria.config.ts` (or `.mts`, `.js`, `.mjs`, `.json`) of an agent's folder, or of the nearest folder above
 * it that has one, up to the root of the file system.
 *
 * @param from An agent's folder or module; its URL, or nothing, means the working folder.
 */
export async function findProjectConfig(from = '.'): Promise<string | undefined> {
  let folder = resolve(agentFolder(from, await kindOf(from)));
  for (;;) {
    for (const name of NAMES) {
      const file = join(folder, name);
      if ((await kindOf(file)) === 'file') return file;
    }
    const above = dirname(folder);
    if (above === folder) return undefined;
    folder = above;
  }
}

/** What is in force where there is no config. */
export function withoutProjectConfig(): LoadedProjectConfig {
  return { file: null, folder: '.', value: {}, plugins: [], warnings: [] };
}

/**
 * Loads a project's config with the plugins that it names; without a file, an empty one.
 *
 * @param file As `findProjectConfig` gives it.
 * @throws CriteriaError with every mistake in it, naming file and path.
 */
export async function loadProjectConfig(file: string | undefined): Promise<LoadedProjectConfig> {
  if (file === undefined) return withoutProjectConfig();
  const { value, warnings } = await readConfigFile(file);
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
  return { file, folder, value, plugins, warnings };
}

async function readConfigFile(file: string): Promise<{ value: unknown; warnings: readonly Problem[] }> {
  if (extname(file) === '.json') {
    const { value, warnings } = await readJsonFile(file);
    // A comment matters only in files that ADK reads too.
    return { value, warnings: warnings.filter(({ code }) => code !== 'NOT_JSON') };
  }
  let loaded: Record<string, unknown>;
  try {
    loaded = await importModule(file);
  } catch (error) {
    const message = `the config does not load: ${describeLoadError(error)}`;
    throw new CriteriaError({ code: 'INVALID_CONFIG', file, message }, { cause: error });
  }
  if (loaded.default !== undefined) return { value: await loaded.default, warnings: [] };
  const message = `the config has no default export: write export default defineConfig({ … }) (it exports ${Object.keys(loaded).join(', ') || 'nothing'})`;
  throw new CriteriaError({ code: 'INVALID_CONFIG', file, message });
}

type Check = (value: unknown, path: string) => readonly (readonly [path: string, message: string])[];

const text: Check = (value, path) =>
  typeof value === 'string' && value.trim() !== '' ? [] : [[path, 'write a text that is not empty']];
const callable: Check = (value, path) => (typeof value === 'function' ? [] : [[path, 'write a function']]);
const positive: Check = (value, path) =>
  typeof value === 'number' && Number.isInteger(value) && value > 0
    ? []
    : [[path, `must be a whole number above 0, not ${shown(value)}`]];
const amount: Check = (value, path) =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0
    ? []
    : [[path, `must be a number from 0 up, not ${shown(value)}`]];
const whole: Check = (value, path) =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
    ? []
    : [[path, `must be a whole number from 0 up, not ${shown(value)}`]];
const MODES = ['off', 'auto', 'record', 'replay'];
const mode: Check = (value, path) =>
  typeof value === 'string' && MODES.includes(value)
    ? []
    : [[path, `must be one of ${MODES.map((name) => `"${name}"`).join(', ')}`]];

const plugin: Check = (value, path) =>
  (typeof value === 'string' && value.trim() !== '') || (isObject(value) && typeof value.kind === 'string')
    ? []
    : [[path, 'a plugin is a value that its package exports, or the name of a package or module']];
const model: Check = (value, path) =>
  (typeof value === 'string' && value.trim() !== '') ||
  typeof value === 'function' ||
  (isObject(value) && typeof value.id === 'string' && typeof value.generate === 'function')
    ? []
    : [
        [
          path,
          'a model is a value with "id" and "generate", a function from prompt to answer, or a name that a registered provider understands',
        ],
      ];
const evalConfig: Check = (value, path) =>
  isObject(value) ? [] : text(value, path).map(() => [path, 'write a config with "criteria", or the path of one']);

const limits: Readonly<Record<string, Check>> = {
  agents: positive,
  scoring: positive,
  turnTimeout: positive,
  caseTimeout: positive,
  runTimeout: positive,
  calls: positive,
  callTimeout: positive,
  maxRetries: whole,
  requestsPerMinute: positive,
  tokensPerMinute: positive,
};
const budget: Readonly<Record<string, Check>> = { maxCalls: whole, maxTokens: whole, maxCost: amount };
const recording: Readonly<Record<string, Check>> = { file: text, mode, label: text };
const keys: Readonly<Record<string, Check>> = {
  $schema: text,
  plugins: list(plugin),
  models: map(model),
  judge: text,
  limits: (value, path) => fields(limits, value, path),
  prices: map(map(amount)),
  cache: (value, path) =>
    value === false ? [] : text(value, path).map(() => [path, 'write the path of a folder, or false']),
  recording(value, path) {
    const problems = fields(recording, value, path);
    if (problems.length > 0 || (isObject(value) && value.file !== undefined)) return problems;
    return [[path, 'name the "file" of the recording']];
  },
  budget: (value, path) => fields(budget, value, path),
  runsFolder: text,
  redact: callable,
  config: evalConfig,
};

function checkProjectConfig(value: unknown, file: string): asserts value is ProjectConfig {
  const problems = fields(keys, value, '$');
  if (problems.length === 0) return;
  throw new CriteriaError(
    problems.slice(0, 50).map(([path, message]) => ({ code: 'INVALID_CONFIG' as const, file, path, message })),
  );
}

/** An object of these keys only; an undefined value is none. */
function fields(known: Readonly<Record<string, Check>>, value: unknown, path: string): ReturnType<Check> {
  if (!isObject(value))
    return [[path, `write an object with ${Object.keys(known).join(', ')}; this is ${shown(value)}`]];
  return Object.entries(value).flatMap(([key, item]) => {
    const check = Object.hasOwn(known, key) ? known[key] : undefined;
    if (check === undefined) return [[at(path, key), unknownKey(key, known)] as const];
    return item === undefined ? [] : check(item, at(path, key));
  });
}

function unknownKey(key: string, known: Readonly<Record<string, Check>>): string {
  const names = Object.keys(known);
  const hint = didYouMean(key, names);
  if (hint === '' && key === 'criteria') {
    return 'unknown key "criteria": this is the config of a project; write { config: { criteria: { … } } }';
  }
  return `unknown key "${key}"${hint === '' ? `; known are ${names.join(', ')}` : hint}`;
}

function list(check: Check): Check {
  return (value, path) =>
    Array.isArray(value)
      ? value.flatMap((item, index) => check(item, `${path}[${index}]`))
      : [[path, `write a list; this is ${shown(value)}`]];
}

function map(check: Check): Check {
  return (value, path) =>
    isObject(value)
      ? Object.entries(value).flatMap(([key, item]) => check(item, at(path, key)))
      : [[path, `write an object; this is ${shown(value)}`]];
}

function at(path: string, key: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(key) ? `${path}.${key}` : `${path}[${JSON.stringify(key)}]`;
}

function shown(value: unknown): string {
  if (typeof value === 'number' || typeof value === 'boolean' || value === null || value === undefined)
    return String(value);
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
