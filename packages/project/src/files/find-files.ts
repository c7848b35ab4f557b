import { readdir, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { CriteriaError, didYouMean, type Problem } from '@agent-criteria/core';
import { evalSetFile, evalSetIds } from './agent-folder.ts';
import { splitPattern } from './glob-pattern.ts';
import { hiddenEvalData, isDataset, skippedFiles } from './hidden-eval-data.ts';
import { folderOf, kindOf } from './path-kind.ts';
import { didYouMeanPath } from './similar-path.ts';

const EVAL_SET = /\.(evalset|test)\.jsonl?$/i;
const DATASET = /-dataset\.json$/i;
const TEST_FILE = /\.test\.json$/i;

/**
 * The eval set files for a path, sorted: the file itself; all `*.evalset.json`, `*.test.json` and their JSON Lines
 * variants in a folder and its subfolders, ignoring case; the files that match a pattern; or the agent's eval set with
 * this id. Hidden folders, `node_modules` and linked folders are skipped.
 *
 * @param agent The agent's folder or module, in which an id is looked up as `AGENT/<id>.evalset.json`.
 * @throws CriteriaError if nothing is found.
 */
export async function findEvalSets(
  path: string,
  { agent }: { readonly agent?: string | undefined } = {},
): Promise<string[]> {
  const kind = await kindOf(path);
  if (kind === 'file') return [path];
  if (kind === 'folder') {
    const found = await walk(path, EVAL_SET);
    if (found.length > 0) return found;
    const message =
      'the folder has no eval set: no file in it ends in .evalset.json, .test.json, .evalset.jsonl or .test.jsonl';
    throw new CriteriaError([{ code: 'EMPTY', file: path, message }, ...(await skippedInFolder(path))]);
  }
  const split = splitPattern(path);
  if (split !== null) return findMatching(path, split.base, split.pattern);
  if (agent === undefined) throw notFound(path, `there is no such file or folder${await nearSet(path)}`);
  return [await findById(path, agent)];
}

/** The datasets of agents-cli in a folder and its subfolders, sorted: files called `*-dataset.json`, as its commands write them, that are datasets. */
export async function findDatasets(folder: string): Promise<string[]> {
  if ((await kindOf(folder)) !== 'folder') return [];
  const found: string[] = [];
  for (const file of await walk(folder, DATASET)) if (await isDataset(file)) found.push(file);
  return found;
}

/** Files in a folder that are not eval sets, as in `skippedFiles`. Empty if the path is not a folder. */
export async function skippedInFolder(path: string): Promise<readonly Problem[]> {
  return (await kindOf(path)) === 'folder' ? skippedFiles(path, isFound) : [];
}

/** Eval data in a folder that `findEvalSets` does not find. */
export async function hiddenInFolder(path: string): Promise<readonly Problem[]> {
  return (await kindOf(path)) === 'folder' ? hiddenEvalData(path, isFound) : [];
}

function isFound(name: string): boolean {
  return EVAL_SET.test(name);
}

/**
 * Finds the test files that ADK's AgentEvaluator finds for a path, sorted: every `*.test.json` in a folder and its
 * subfolders, or a file of any name.
 * @throws CriteriaError if the path does not exist, or the folder has no test file.
 */
export async function findTestFiles(path: string): Promise<string[]> {
  const kind = await kindOf(path);
  if (kind === 'file') return [path];
  if (kind === null) throw notFound(path, `there is no such file or folder${await nearSet(path)}`);
  const found = await walk(path, TEST_FILE);
  if (found.length > 0) return found;
  const message = 'the folder has no test file, so nothing would be evaluated: no file in it ends in .test.json';
  throw new CriteriaError({ code: 'EMPTY', file: path, message });
}

async function findMatching(path: string, base: string, pattern: string): Promise<string[]> {
  // Loaded only when needed.
  const { glob } = await import('tinyglobby');
  const matching = await glob(pattern, { cwd: base, expandDirectories: false, ignore: ['**/node_modules/**'] });
  // Links to files count, as in folders; what is found through a linked folder would be found twice.
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
  const folder = folderOf(agent, await kindOf(agent));
  // A file name is a path, and no id.
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

/** `; did you mean "evals/home.evalset.json"?`, or nothing. */
function nearSet(path: string): Promise<string> {
  return didYouMeanPath(path, async (near) => (await kindOf(near)) === 'folder' || /\.jsonl?$/i.test(near));
}

async function walk(folder: string, wanted: RegExp): Promise<string[]> {
  const found: string[] = [];
  for (const entry of await list(folder)) {
    if (entry.name.startsWith('.') || entry.name === 'node_modules') continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) found.push(...(await walk(path, wanted)));
    // A broken link or a pipe is reported when it is read. A link to a folder could lead in circles.
    else if (wanted.test(entry.name)) found.push(path);
  }
  return found;
}

async function list(folder: string) {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    const message = `cannot list this folder: ${(error as Error).message}`;
    throw new CriteriaError({ code: 'FILE_UNREADABLE', file: folder, message }, { cause: error });
  }
}

function notFound(path: string, message: string): CriteriaError {
  return new CriteriaError({ code: 'FILE_NOT_FOUND', file: path, message });
}
