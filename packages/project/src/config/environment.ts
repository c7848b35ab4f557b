import { readFile, realpath } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { CriteriaError, type Problem } from '@agent-criteria/core';
import { folderOf, kindOf } from '../files/path-kind.ts';
import { isSettingVariable } from './settings/environment-settings.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The environment, including what `.env` files add. Names may be shown; values never are. */
export interface LoadedEnvironment {
  /** The variables that were already set, and those that the files add. */
  readonly variables: Environment;
  /** The files that were read, in order of precedence. */
  readonly files: readonly EnvironmentFile[];
  /**
   * All variables in each file, including those that were already set, because an agent may read the file itself. For
   * masking only; never show them.
   */
  readonly inFiles: readonly Environment[];
  /** Warnings about variables that would set our own settings. Files that may come with an agent must not set those. */
  readonly warnings: readonly Problem[];
}

export interface EnvironmentFile {
  readonly file: string;
  /** The variables that the file adds. */
  readonly names: readonly string[];
  /** Variables that the file also contains but that were already set. */
  readonly ignored: readonly string[];
}

export interface LoadEnvironmentOptions {
  /** The agent's folder or module. For a URL, or by default, only the working folder is used. */
  readonly agent?: string | undefined;
  /** The variables that are already set, which take precedence. Default `process.env`. */
  readonly environment?: Environment | undefined;
  /** Default: the working folder of the process. */
  readonly workingFolder?: string | undefined;
}

/**
 * Reads `.env` in the agent's folder, then in the working folder. A variable that is already set, even if empty, is not
 * changed. Our own settings (`AGENT_CRITERIA_JUDGE_MODEL`) are never read from these files, because an agent's folder
 * may come from someone else. This does not change the process: see `applyEnvironment`.
 *
 * @throws CriteriaError FILE_UNREADABLE with the file's name, but none of its content.
 */
export async function loadEnvironment(options: LoadEnvironmentOptions = {}): Promise<LoadedEnvironment> {
  const { agent, environment = process.env, workingFolder = '.' } = options;
  const folders = agent === undefined ? [] : [await folderOf(agent)];
  const variables: Record<string, string | undefined> = { ...environment };
  const files: EnvironmentFile[] = [];
  const inFiles: Environment[] = [];
  const warnings: Problem[] = [];
  const seen = new Set<string>();
  for (const folder of [...folders, workingFolder]) {
    const file = join(folder, '.env');
    // A folder with this name is a Python virtual environment.
    if ((await kindOf(file)) !== 'file') continue;
    const real = await realpath(file).catch(() => resolve(file));
    if (seen.has(real)) continue;
    seen.add(real);
    const names: string[] = [];
    const ignored: string[] = [];
    const text = await readText(file);
    const parsed = parseEnv(text) as Environment;
    inFiles.push(parsed, wholeValues(text));
    for (const [name, value] of Object.entries(parsed)) {
      if (isSettingVariable(name)) warnings.push(notRead(name, file));
      else if (isSet(variables, name)) ignored.push(name);
      else {
        variables[name] = value;
        names.push(name);
      }
    }
    files.push({ file, names, ignored });
  }
  return { variables, files, inFiles, warnings };
}

function notRead(name: string, file: string): Problem {
  const message = `${name} is not read from this file, because a .env file may come with an agent: set it in the environment, or use agent-criteria.config`;
  return { code: 'INVALID_CONFIG', file, message };
}

/**
 * Sets the variables that the files add, so that the agent's module sees them as it would in ADK. Does not change
 * variables that are already set.
 *
 * @param target Default `process.env`.
 */
export function applyEnvironment(
  loaded: LoadedEnvironment,
  target: Record<string, string | undefined> = process.env,
): void {
  for (const name of loaded.files.flatMap(({ names }) => names)) {
    if (!isSet(target, name)) target[name] = loaded.variables[name];
  }
}

function isSet(variables: Environment, name: string): boolean {
  return Object.hasOwn(variables, name) && variables[name] !== undefined;
}

async function readText(file: string): Promise<string> {
  try {
    // A byte order mark would become part of the first name.
    return (await readFile(file, 'utf8')).replace(/^\ufeff/, '');
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'it cannot be decoded';
    throw new CriteriaError({ code: 'FILE_UNREADABLE', file, message: `cannot read this file: ${code}` });
  }
}

/**
 * Reads values as shells and python-dotenv do. Node's parser ends a value at `#`, and so would miss a secret that other
 * readers see.
 */
function wholeValues(text: string): Environment {
  const lines = text.matchAll(/^[ \t]*(?:export[ \t]+)?([A-Za-z_]\w*)[ \t]*=(.*)$/gm);
  return Object.fromEntries([...lines].map(([, name = '', value = '']) => [name, value.trim()]));
}
