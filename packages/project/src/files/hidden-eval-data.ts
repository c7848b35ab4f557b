import { lstat } from 'node:fs/promises';
import { basename } from 'node:path';
import { CriteriaError, type Problem } from '@agent-criteria/core';
import { readAgentsCliDataset } from '@agent-criteria/formats/migration';
import { isAgentsCliDataset, migrateCommand } from '@agent-criteria/formats/parse';
import { isMeantAsConfig, whyNoConfig } from './find-eval-config.ts';
import { readJsonFile } from './read-json-file.ts';

/** Larger files are only read if they are named, because this search precedes every run. */
const MOST_BYTES = 4 * 1024 * 1024;

/**
 * Finds eval data in files that are not named like eval sets: agents-cli datasets, eval sets and legacy eval data.
 * Returns a warning with advice for each.
 */
export async function hiddenEvalData(files: readonly string[]): Promise<readonly Problem[]> {
  return (await skippedFiles(files)).filter(({ code }) => code === 'UNKNOWN_FORMAT');
}

/**
 * Finds files that may be meant as eval data or as a config but are not read: eval data under other names, invalid
 * JSON, and configs in YAML. Ignores links and pipes.
 */
export async function skippedFiles(files: readonly string[]): Promise<readonly Problem[]> {
  const found: Problem[] = [];
  for (const file of files) found.push(...(await skipped(file, basename(file))));
  return found;
}

async function skipped(file: string, name: string): Promise<readonly Problem[]> {
  // These files have their own readers, which report their mistakes.
  if (/^(test_config|agent-criteria\.config)\.json$/.test(name)) return [];
  if (!(isMeantAsConfig(name) || /\.json$/i.test(name)) || !(await lstat(file).catch(() => null))?.isFile()) return [];
  if (isMeantAsConfig(name)) {
    const message = await whyNoConfig(file);
    return message === null ? [] : [{ code: 'INVALID_CONFIG', file, message }];
  }
  try {
    const { value } = await readJsonFile(file, MOST_BYTES);
    const message = evalDataText(file, value);
    return message === null ? [] : [{ code: 'UNKNOWN_FORMAT', file, message: `skipped: ${message}` }];
  } catch (error) {
    if (!CriteriaError.is(error)) throw error;
    const [problem] = error.problems;
    return problem?.code === 'NOT_JSON' ? [{ ...problem, message: `skipped: ${problem.message}` }] : [];
  }
}

/** Whether a file is an agents-cli dataset. Returns `false` if it cannot be read. */
export async function isDataset(file: string): Promise<boolean> {
  try {
    return isAgentsCliDataset((await readJsonFile(file, MOST_BYTES)).value);
  } catch (error) {
    if (CriteriaError.is(error)) return false;
    throw error;
  }
}

/**
 * Describes the eval data in a file that is not named like an eval set, with a remedy. Returns `null` if there is none.
 */
export function evalDataText(file: string, value: unknown): string | null {
  if (isAgentsCliDataset(value)) return `this is ${agentsCliText(file, value)}`;
  const called = 'call it *.evalset.json or *.test.json, or name it';
  if (has(value, 'eval_cases') || has(value, 'evalCases')) return `this is an eval set by its content: ${called}`;
  if (!Array.isArray(value) || value.length === 0) return null;
  const isOld = value.every(
    (row) => has(row, 'query') || (has(row, 'name') && has(row, 'data')) || has(row, 'eval_id'),
  );
  return isOld ? `this is a list of eval data by its content: ${called}` : null;
}

/** Explains what an agents-cli dataset is and how to evaluate it. */
export function agentsCliText(file: string, value: unknown): string {
  const asItIs = isWhole(value) ? 'name it to evaluate it as it is, or ' : '';
  return `a dataset of agents-cli, not an eval set: ${asItIs}${migrateCommand(file)} converts it`;
}

/** Whether a dataset can be evaluated as is, with nothing left out. */
function isWhole(value: unknown): boolean {
  try {
    return readAgentsCliDataset(value).leftOut.length === 0;
  } catch (error) {
    if (CriteriaError.is(error)) return false;
    throw error;
  }
}

function has(value: unknown, key: string): boolean {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key);
}
