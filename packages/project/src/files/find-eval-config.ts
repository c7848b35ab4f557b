import { lstat, readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { CriteriaError, type Problem } from '@agent-criteria/core';
import { isObject } from '@agent-criteria/formats';
import { agentsCliConfigText, isAgentsCliConfig, isYaml, readYamlFile } from './agents-cli-config.ts';
import { readJsonFile } from './read-json-file.ts';

/** The config that belongs to an eval set file by its location. */
export interface FoundConfig {
  /** The file, or `null` if there is none or it is ambiguous. */
  readonly file: string | null;
  /** Warnings about files that look like a config but are not used, each with the reason. */
  readonly warnings: readonly Problem[];
}

/**
 * Finds the config of an eval set by its location. Next to the set, that is `test_config.json`, or else the only
 * `*config*.json` whose `criteria` is an object. Failing that, it is the only such file in the folder above, as in
 * Google's templates, where sets have a folder of their own. A `test_config.json` there applies only to the sets next
 * to it, as in ADK.
 * @param above Whether to look in the folder above. Default `true`.
 */
export async function findEvalConfig(evalSetFile: string, { above = true } = {}): Promise<FoundConfig> {
  const folder = dirname(evalSetFile);
  const beside = await findBeside(folder);
  // If several files next to the set qualify, choosing one further away would be a guess.
  if (!above || beside.file !== null || beside.warnings.length > 0) return beside;
  const folderAbove = join(folder, '..');
  const found = (await recognised(folderAbove)).filter((file) => !/[/\\]test_config\.json$/.test(file));
  const lookalike = await findLookalike(folderAbove);
  // A variant of test_config would likewise apply only to the sets next to it.
  const meant = lookalike !== undefined && /^eval/i.test(basename(lookalike)) ? lookalike : undefined;
  return withLookalike(theOnlyOne(found), meant);
}

async function findBeside(folder: string): Promise<FoundConfig> {
  const file = join(folder, 'test_config.json');
  // Also finds a broken link, so that reading it fails.
  const isThere = await lstat(file).then(
    () => true,
    () => false,
  );
  if (isThere) return { file, warnings: [] };
  return withLookalike(theOnlyOne(await recognised(folder)), await findLookalike(folder));
}

/** Adds a warning about a file that was probably meant as the config, with the reason why it is not used. */
async function withLookalike({ file, warnings }: FoundConfig, lookalike: string | undefined): Promise<FoundConfig> {
  if (lookalike === undefined || lookalike === file) return { file, warnings };
  const message = await whyNoConfig(lookalike);
  // The file is usable, so it was either found or is one of several candidates.
  return message === null
    ? { file, warnings }
    : { file, warnings: [...warnings, { code: 'INVALID_CONFIG', file: lookalike, message }] };
}

function theOnlyOne(files: readonly string[]): FoundConfig {
  const [only] = files;
  if (files.length <= 1) return { file: only ?? null, warnings: [] };
  const message = `no config is used, because several files could be it: ${files.map((file) => basename(file)).join(', ')}; rename one of them to test_config.json, next to the eval set, or name one with --config-file-path`;
  const warnings: readonly Problem[] = [{ code: 'INVALID_CONFIG', file: dirname(only ?? ''), message }];
  return { file: null, warnings };
}

/** Lists the configs in a folder, recognised by name and content, sorted. */
async function recognised(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch((): string[] => []);
  const found: string[] = [];
  for (const name of names.filter(mayBeConfig).sort()) {
    const file = join(folder, name);
    if (await readsAsConfig(file)) found.push(file);
  }
  return found;
}

/** Whether a file with this name is worth reading. */
export function mayBeConfig(name: string): boolean {
  return /config.*\.json$/i.test(name) && !/^agent-criteria\.config\.json$/.test(name);
}

async function readsAsConfig(file: string): Promise<boolean> {
  try {
    return isConfig((await readJsonFile(file)).value);
  } catch (error) {
    if (CriteriaError.is(error)) return false;
    throw error;
  }
}

/** Finds a file that was probably meant as the config of eval sets, such as `test-config.yaml`. */
async function findLookalike(folder: string): Promise<string | undefined> {
  const names = await readdir(folder).catch(() => []);
  const lookalike = names.sort().find(isMeantAsConfig);
  return lookalike === undefined ? undefined : join(folder, lookalike);
}

/** Names by which an eval config is probably meant, such as `test-config.yaml`. */
const MEANT = /^(tests?|evals?)[-_. ]?configs?\.(jsonc?|json5|ya?ml)$/i;

/** Whether a file with this name was probably meant as the config of eval sets. */
export function isMeantAsConfig(name: string): boolean {
  return MEANT.test(name);
}

/** Whether the content of a file is that of an eval config, in which `criteria` is an object. */
export function isConfig(value: unknown): boolean {
  return isObject(value) && isObject(value.criteria);
}

/** Explains why a file that was meant as a config is not one, or returns `null` if it is. */
export async function whyNoConfig(file: string): Promise<string | null> {
  if (isYaml(file)) {
    const value = await readYamlFile(file).catch(() => null);
    if (isAgentsCliConfig(value)) return agentsCliConfigText(file, value);
  }
  if (!/\.json$/i.test(file)) {
    // In the folder above the sets, only variants of eval_config are considered.
    const name = /^eval/i.test(basename(file)) ? 'eval_config.json' : 'test_config.json';
    return `this file is not read: configs are JSON; write it as ${name}`;
  }
  try {
    const { value } = await readJsonFile(file);
    if (isAgentsCliConfig(value)) return agentsCliConfigText(file, value);
    return isConfig(value) ? null : 'this file is not used as a config: it has no "criteria" object';
  } catch (error) {
    if (!CriteriaError.is(error)) throw error;
    return `this file is not used as a config: ${error.problems[0]?.message}`;
  }
}
