import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { RunCommit } from '@agent-criteria/results';
import { isUrl } from '@agent-criteria/runner';

/** How long Git may take, in milliseconds. A run does not wait longer. */
const PATIENCE = 1000;

/**
 * Reads the commit that is checked out in a folder, and whether files differ from it. Saved runs and everything else in
 * `.agent-criteria` do not count.
 *
 * @param runsFolder The folder for runs, which does not count either.
 * @returns `undefined` without Git, a repository or a commit; `dirty` is absent if Git takes long to find out.
 */
export async function commitOf(folder: string, runsFolder: string): Promise<RunCommit | undefined> {
  const root = repositoryOf(resolve(folder));
  if (root === null) return undefined;
  const inside = relative(root, resolve(runsFolder)).replaceAll('\\', '/');
  const isInside = inside !== '' && !inside.startsWith('..') && resolve(root, inside) === resolve(runsFolder);
  const not = [':(top,exclude,glob)**/.agent-criteria/**', ...(isInside ? [`:(top,exclude,literal)${inside}`] : [])];
  const [head, status] = await Promise.all([
    git(root, ['rev-parse', 'HEAD', '--abbrev-ref', 'HEAD']),
    git(root, ['status', '--porcelain', '--untracked-files=normal', '--', ':(top)', ...not]),
  ]);
  const [hash, branch] = head?.split('\n') ?? [];
  if (hash === undefined || !/^[0-9a-f]{40,64}$/.test(hash)) return undefined;
  return {
    hash,
    ...(branch === undefined || branch === '' || branch === 'HEAD' ? {} : { branch }),
    ...(status === null ? {} : { dirty: status !== '' }),
  };
}

/** Reads the commit of the first of these agents that is a module, or else that of the working folder. */
export function commitOfAgents(paths: readonly string[], runsFolder: string): Promise<RunCommit | undefined> {
  const file = paths.find((path) => !isUrl(path));
  return commitOf(file === undefined ? '.' : dirname(resolve(file)), runsFolder);
}

/** Finds the nearest folder above that has a `.git`, which is a file in worktrees and submodules. */
function repositoryOf(folder: string): string | null {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at;
    if (dirname(at) === at) return null;
  }
}

/** Runs Git without anything that it could start, or write. Returns `null` if it fails or takes too long. */
async function git(folder: string, args: readonly string[]): Promise<string | null> {
  const options = ['--no-optional-locks', '-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null'];
  try {
    const { stdout } = await promisify(execFile)('git', [...options, ...args], {
      cwd: folder,
      timeout: PATIENCE,
      maxBuffer: 64 * 1024 * 1024,
      windowsHide: true,
    });
    return stdout.trim();
  } catch {
    return null;
  }
}
