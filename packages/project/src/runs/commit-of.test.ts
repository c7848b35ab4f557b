import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { folderOf, writeFiles } from '../../../../test/folder.ts';
import { commitOf } from './commit-of.ts';

function repository() {
  const folder = folderOf({ 'agent.mjs': 'export const rootAgent = () => 1;\n', 'deep/evals/notes.txt': 'x' });
  const git = (...args: string[]) => {
    const who = ['-c', 'user.name=a', '-c', 'user.email=a@example.com', '-c', 'commit.gpgsign=false'];
    return execFileSync('git', [...who, ...args], { cwd: folder, encoding: 'utf8' }).trim();
  };
  git('init', '--quiet', '--initial-branch=trunk');
  git('add', '.');
  git('commit', '--quiet', '--message', 'first');
  return { folder, git, runs: join(folder, 'saved') };
}

describe('commitOf', () => {
  it('returns the commit and the branch of a clean repository, also from a folder inside it', async () => {
    const { folder, git, runs } = repository();
    const hash = git('rev-parse', 'HEAD');
    expect(await commitOf(join(folder, 'deep/evals'), runs)).toEqual({ hash, branch: 'trunk', dirty: false });
    git('checkout', '--quiet', '--detach');
    expect(await commitOf(folder, runs)).toEqual({ hash, dirty: false });
  });

  it('counts changed and new files, and not what is saved of runs', async () => {
    const { folder, runs } = repository();
    writeFiles(folder, { 'saved/1/plan.json': '{}', 'deep/.agent-criteria/cache/a.json': '{}' });
    expect(await commitOf(folder, runs)).toMatchObject({ dirty: false });
    expect(await commitOf(folder, join(folder, 'elsewhere'))).toMatchObject({ dirty: true });
    writeFileSync(join(folder, 'agent.mjs'), 'export const rootAgent = () => 2;\n');
    expect(await commitOf(folder, runs)).toMatchObject({ dirty: true });
  });

  it('returns nothing without a repository, and without a commit', async () => {
    const empty = folderOf({});
    expect(await commitOf(empty, empty)).toBeUndefined();
    execFileSync('git', ['init', '--quiet'], { cwd: empty });
    expect(await commitOf(empty, join(empty, 'runs'))).toBeUndefined();
  });
});
