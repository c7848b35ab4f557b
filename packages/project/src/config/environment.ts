import { readFile, realpath } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { CriteriaError, type Problem } from '@agent-criteria/core';
import { folderOf, kindOf } from '../files/path-kind.ts';
import { isSettingVariable } from './settings/environment-settings.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The environment with what `.env` files add. Names may be shown; values never are. */
export interface LoadedEnvironment {
  /** The variables that were set, and those that the files add. */
  readonly variables: Environment;
  /** The files that were read, in order of precedence. */
  readonly files: readonly EnvironmentFile[];
  /**
   * All variables of each file, including those that were already set: an agent may read the file itself. Only for
   * masking; never show them.
   */
  readonly inFiles: readonly Environment[];
  /** Variables of files that would set our own settings, which a file that may come with an agent never does. */
  readonly warnings: readonly Problem[];
}

export interface EnvironmentFile {
  readonly file: string;
  /** The variables that come from it. */
  readonly names: readonly string[];
  /** Variables that it names too, and that were set before. */
  readonly ignored: readonly string[];
}

export interface LoadEnvironmentOptions {
  /** The agent's folder or module; its URL, or nothing, means the working folder alone. */
  readonly agent?: string | undefined;
  /** The variables that are already set, which win. Default `process.env`. */
  readonly environment?: Environment | undefined;
  /** Default: the working folder of the process. */
  readonly workingFolder?: string | undefined;
}

/**
 * Reads `.env` in the agent's folder, then in the working folder. A variable that is already set, even if empty, is not
 * changed. Our own settings (`AGENT_CRITERIA_JUDGE_MODEL`) are never read from these files, because an agent's folder
 * may come from someone else. This changes nothing: see `applyEnvironment`.
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
    // A folder of this name is a virtual environment of Python.
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
 * Sets the variables that the files add, so that the agent's module sees them as in ADK. Existing variables are not
 * changed.
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

/** Values as shells and python-dotenv read them: Node's parser ends a value at `#`, and so would not know the secret of another reader. */
function wholeValues(text: string): Environment {
  const lines = text.matchAll(/^[ \t]*(?:export[ \t]+)?([A-Za-z_]\w*)[ \t]*=(.*)$/gm);
  return Object.fromEntries([...lines].map(([, name = '', value = '']) => [name, value.trim()]));
}
