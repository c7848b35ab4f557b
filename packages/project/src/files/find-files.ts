import { readdir, realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { CriteriaError, didYouMean } from '@agent-criteria/core';
import { isUrl } from '@agent-criteria/runner';
import { evalSetFile, evalSetIds } from './agent-folder.ts';
import type { ProblemCollection } from './collect-problems.ts';
import { splitPattern } from './glob-pattern.ts';
import { hiddenEvalData, isDataset, skippedFiles } from './hidden-eval-data.ts';
import { folderOf, kindOf, pathExists } from './path-kind.ts';
import { didYouMeanPath } from './similar-path.ts';

const EVAL_SET = /\.(evalset|test)\.jsonl?$/i;
const DATASET = /-dataset\.json$/i;
const TEST_FILE = /\.test\.json$/i;

/** An eval set file selected by an argument of a run. */
export interface NamedEvalSet {
  readonly argument: string;
  readonly file: string;
  /** The case ids after the colon in the argument. If empty, all cases. */
  readonly cases: readonly string[];
  /** Whether the argument is this file or its id, rather than a folder or a pattern. */
  readonly isNamed: boolean;
}

/**
 * Finds the eval set files that arguments select: files, folders, patterns, or ids of the agent's sets, each optionally
 * with cases after a colon. Adds mistakes to `found`, as well as warnings about other files in a folder that the user
 * may have meant.
 * @param setArguments Default: the agent's folder.
 */
export async function namedEvalSets(
  setArguments: readonly string[] | undefined,
  agent: string,
  found: ProblemCollection,
): Promise<readonly NamedEvalSet[]> {
  const named: NamedEvalSet[] = [];
  for (const argument of setArguments ?? (await setsOfAgent(agent))) {
    const sets = await found.attempt(() => filesOfArgument(argument, agent));
    if (sets === undefined) continue;
    const { files, cases, isNamed, others } = sets;
    named.push(...files.map((file) => ({ argument, file, cases, isNamed })));
    if (cases.length === 0) found.warn(await skippedFiles(others));
  }
  return named;
}

/**
 * Returns the eval sets to run if the user names none: the agent's folder, provided that it contains eval sets or files
 * with other eval data.
 */
export async function setsOfAgent(agent: string): Promise<readonly string[]> {
  if (isUrl(agent) || !(await pathExists(agent))) return [];
  const folder = await folderOf(agent);
  const { files, others } = await listEvalSets(folder).catch(() => ({ files: [], others: [] }));
  return files.length > 0 || (await hiddenEvalData(others)).length > 0 ? [folder] : [];
}

/** The files selected by a path. */
interface FilesOfPath {
  readonly files: string[];
  readonly isNamed: boolean;
  /** The other files in a folder. */
  readonly others: readonly string[];
}

async function filesOfArgument(argument: string, agent: string): Promise<FilesOfPath & Pick<NamedEvalSet, 'cases'>> {
  const { path, cases } = parseEvalSetArgument(argument);
  if (path.length < argument.length) {
    // A colon may be part of a file name. If there is such a file, the whole argument names it.
    const whole = await filesOfPath(argument).catch(() => null);
    if (whole !== null) return { ...whole, cases: [] };
    if (cases.length === 0) {
      const message = `${argument} names no case after the colon (an empty variable?): add case ids, or remove the colon`;
      throw new CriteriaError({ code: 'USAGE', message });
    }
  }
  return { ...(await filesOfPath(path, agent)), cases };
}

/**
 * Splits `path:case1,case2`, including paths with a drive letter (`C:\sets\a.json:case1`). Trims names and drops empty
 * ones. A colon without a name is left to the caller, because a file name may end in one. Ids with commas are not
 * supported.
 */
export function parseEvalSetArgument(argument: string): { readonly path: string; readonly cases: readonly string[] } {
  const drive = /^[A-Za-z]:[\\/]/.test(argument) ? 2 : 0;
  const colon = argument.indexOf(':', drive);
  if (colon === -1) return { path: argument, cases: [] };
  const names = argument.slice(colon + 1).split(',');
  return { path: argument.slice(0, colon), cases: names.map((name) => name.trim()).filter((name) => name !== '') };
}

/**
 * Finds the eval set files for a path, sorted: the file itself; all `*.evalset.json` and `*.test.json` files and their
 * JSON Lines variants in a folder and its subfolders, ignoring case; the files that match a pattern; or the agent's
 * eval set with this id. Skips hidden folders, `node_modules` and linked folders.
 *
 * @param agent The agent's folder or module, in which an id is looked up as `AGENT/<id>.evalset.json`.
 * @throws CriteriaError if nothing is found.
 */
export async function findEvalSets(
  path: string,
  { agent }: { readonly agent?: string | undefined } = {},
): Promise<string[]> {
  return (await filesOfPath(path, agent)).files;
}

async function filesOfPath(path: string, agent?: string): Promise<FilesOfPath> {
  const kind = await kindOf(path);
  if (kind === 'file') return { files: [path], isNamed: true, others: [] };
  if (kind === 'folder') {
    const { files, others } = await listEvalSets(path);
    if (files.length > 0) return { files, isNamed: false, others };
    const message =
      'the folder has no eval set: no file in it ends in .evalset.json, .test.json, .evalset.jsonl or .test.jsonl';
    throw new CriteriaError([{ code: 'EMPTY', file: path, message }, ...(await skippedFiles(others))]);
  }
  const split = splitPattern(path);
  if (split !== null) return { files: await findMatching(path, split), isNamed: false, others: [] };
  if (agent === undefined) throw notFound(path, `there is no such file or folder${await nearSet(path)}`);
  return { files: [await findById(path, agent)], isNamed: true, others: [] };
}

/** Lists the eval sets in a folder and its subfolders, and the other files there. */
export async function listEvalSets(folder: string): Promise<Pick<FilesOfPath, 'files' | 'others'>> {
  const all = await listFiles(folder);
  return {
    files: all.filter((file) => EVAL_SET.test(basename(file))),
    others: all.filter((file) => !EVAL_SET.test(basename(file))),
  };
}

/**
 * Finds the agents-cli datasets in a folder and its subfolders, sorted: files named `*-dataset.json`, as its commands
 * name them, that contain a dataset.
 */
export async function findDatasets(folder: string): Promise<string[]> {
  if ((await kindOf(folder)) !== 'folder') return [];
  const found: string[] = [];
  for (const file of await listFiles(folder)) if (DATASET.test(file) && (await isDataset(file))) found.push(file);
  return found;
}

/**
 * Finds the test files that ADK's AgentEvaluator would find for a path, sorted: every `*.test.json` in a folder and its
 * subfolders, or a single file with any name.
 * @throws CriteriaError if the path does not exist, or the folder contains no test files.
 */
export async function findTestFiles(path: string): Promise<string[]> {
  const kind = await kindOf(path);
  if (kind === 'file') return [path];
  if (kind === null) throw notFound(path, `there is no such file or folder${await nearSet(path)}`);
  const found = (await listFiles(path)).filter((file) => TEST_FILE.test(basename(file)));
  if (found.length > 0) return found;
  const message = 'the folder has no test file, so nothing would be evaluated: no file in it ends in .test.json';
  throw new CriteriaError({ code: 'EMPTY', file: path, message });
}

async function findMatching(
  path: string,
  { base, pattern }: { readonly base: string; readonly pattern: string },
): Promise<string[]> {
  // Loaded on demand.
  const { glob } = await import('tinyglobby');
  const matching = await glob(pattern, { cwd: base, expandDirectories: false, ignore: ['**/node_modules/**'] });
  // Links to files count, as in folders, but files in a linked folder would be found twice.
  const root = await realpath(base).catch(() => base);
  const found: string[] = [];
  for (const file of matching) {
    const folder = await realpath(join(base, dirname(file)));
    if (folder === join(root, dirname(file))) found.push(join(base, file));
  }
  if (found.length > 0) return found.sort();
  throw notFound(path, 'no file matches this pattern; hidden files and node_modules are left out');
}

/** Finds an eval set by its id, as ADK does. */
async function findById(id: string, agent: string): Promise<string> {
  if (/[/\\\0]/.test(id) || id === '' || id === '.' || id === '..') {
    const near = await nearSet(id);
    throw notFound(id, `there is no such file or folder${near || ' (and the id of an eval set has no slash)'}`);
  }
  const folder = await folderOf(agent);
  // A file name is a path rather than an id.
  const isFile = /\.jsonl?$/i.test(id);
  if (!isFile) {
    const file = evalSetFile(folder, id);
    if ((await kindOf(file)) === 'file') return file;
  }
  const ids = await evalSetIds(folder).catch(() => []);
  const near = (await nearSet(join(folder, id))) || (await nearSet(id));
  const there =
    ids.length === 0
      ? 'the agent has no eval sets in its folder'
      : `the agent has ${ids.length === 1 ? 'the eval set' : 'the eval sets'} ${ids.slice(0, 20).join(', ')}`;
  if (isFile) throw notFound(id, `there is no such file${near || `; ${there}`}`);
  const hint = didYouMean(id, ids) || near || `; ${there}`;
  throw notFound(id, `there is no such file or folder, and the agent has no eval set of this id${hint}`);
}

/** Suggests a similar path, such as `; did you mean "evals/home.evalset.json"?`, or returns an empty string. */
function nearSet(path: string): Promise<string> {
  return didYouMeanPath(path, async (near) => (await kindOf(near)) === 'folder' || /\.jsonl?$/i.test(near));
}

/** Lists the files in a folder and its subfolders, sorted by name within each, without hidden ones and node_modules. */
async function listFiles(folder: string): Promise<string[]> {
  const found: string[] = [];
  for (const entry of (await entriesOf(folder)).toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.name.startsWith('.') || entry.name === 'node_modules') continue;
    const path = join(folder, entry.name);
    // A broken link or a pipe is reported when it is read. A linked folder could lead in circles.
    found.push(...(entry.isDirectory() ? await listFiles(path) : [path]));
  }
  return found;
}

async function entriesOf(folder: string) {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    const message = `cannot list this folder: ${(error as Error).message}`;
    throw new CriteriaError({ code: 'FILE_UNREADABLE', file: folder, message }, { cause: error });
  }
}

function notFound(path: string, message: string): CriteriaError {
  return new CriteriaError({ code: 'FILE_NOT_FOUND', file: path, message });
}
