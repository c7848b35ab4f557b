import { lstat, readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { CriteriaError } from '@agent-criteria/core';

const EVAL_SET = /\.(evalset|test)\.json$/;

/**
 * The eval set files that a path means: the file itself, or all `*.evalset.json` and `*.test.json` of a folder and the
 * folders in it, sorted; hidden folders, `node_modules` and linked folders are left out.
 *
 * @throws CriteriaError when there is no such path, or a folder holds none.
 */
export async function findEvalSets(path: string): Promise<string[]> {
  let isFolder: boolean;
  try {
    isFolder = (await stat(path)).isDirectory();
  } catch (error) {
    const message = 'there is no such file or folder';
    throw new CriteriaError({ code: 'FILE_NOT_FOUND', file: path, message }, { cause: error });
  }
  if (!isFolder) return [path];
  const found = await walk(path);
  if (found.length > 0) return found;
  const message = 'the folder holds no eval set: no file in it ends in .evalset.json or .test.json';
  throw new CriteriaError({ code: 'EMPTY', file: path, message });
}

async function walk(folder: string): Promise<string[]> {
  const found: string[] = [];
  for (const entry of await list(folder)) {
    if (entry.name.startsWith('.') || entry.name === 'node_modules') continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) found.push(...(await walk(path)));
    // A link to a file counts, and a broken one is told when it is read; a link to a folder could lead in circles.
    else if (EVAL_SET.test(entry.name) && (entry.isFile() || entry.isSymbolicLink())) found.push(path);
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

/** `test_config.json` in the folder of an eval set file, if there is one. */
export async function findConfig(evalSetFile: string): Promise<string | undefined> {
  const file = join(dirname(evalSetFile), 'test_config.json');
  try {
    await lstat(file);
    return file;
  } catch {
    return undefined;
  }
}
