import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { CriteriaError, type Problem } from '@agent-criteria/core';
import { isAgentsCliDataset } from '@agent-criteria/core/adk';
import { readJsonFile } from './read-json-file.ts';
import { shellWord } from './shell-word.ts';

/** Larger files are looked at only where they are named: this is done before every run. */
const MOST_BYTES = 4 * 1024 * 1024;

/**
 * JSON files of a folder, and of the folders in it, that hold eval data and are not found by their names: datasets of agents-cli, eval
 * sets and old eval data. Each is a warning with what to do.
 *
 * @param isFound Whether the name of a file makes it one that is found.
 */
export async function hiddenEvalData(folder: string, isFound: (name: string) => boolean): Promise<readonly Problem[]> {
  const found: Problem[] = [];
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.name.startsWith('.') || entry.name === 'node_modules') continue;
    const file = join(folder, entry.name);
    if (entry.isDirectory()) found.push(...(await hiddenEvalData(file, isFound)));
    else if (entry.isFile() && /\.json$/i.test(entry.name) && !isFound(entry.name)) {
      const message = evalDataText(file, await contentOf(file));
      if (message !== null) found.push({ code: 'UNKNOWN_FORMAT', file, message: `skipped: ${message}` });
    }
  }
  return found;
}

/** What eval data a file holds whose name does not say so, and what to do; `null`: none. */
export function evalDataText(file: string, value: unknown): string | null {
  if (isAgentsCliDataset(value)) return `this is ${agentsCliText(file)}`;
  const called = 'call it *.evalset.json or *.test.json, or name it';
  if (has(value, 'eval_cases') || has(value, 'evalCases')) return `this is an eval set by its content: ${called}`;
  if (!Array.isArray(value) || value.length === 0) return null;
  const isOld = value.every(
    (row) => has(row, 'query') || (has(row, 'name') && has(row, 'data')) || has(row, 'eval_id'),
  );
  return isOld ? `this is a list of eval data by its content: ${called}` : null;
}

/** What a dataset of agents-cli is, and the command that makes an eval set of it. */
export function agentsCliText(file: string): string {
  const to = file.replace(/(-dataset)?\.json$/i, '.evalset.json');
  return `a dataset of agents-cli, not an eval set: agent-criteria migrate ${shellWord(file)} ${shellWord(to)} converts it`;
}

async function contentOf(file: string): Promise<unknown> {
  try {
    return (await readJsonFile(file, MOST_BYTES)).value;
  } catch (error) {
    if (CriteriaError.is(error)) return null;
    throw error;
  }
}

function has(value: unknown, key: string): boolean {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key);
}
