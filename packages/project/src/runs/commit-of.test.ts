import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createRegistry } from '@agent-criteria/core/host';
import { evalSet as cases, evalCase } from '@agent-criteria/core/testing';
import { toolTrajectory } from '@agent-criteria/criteria-trajectory/pure';
import { openRun } from '@agent-criteria/runner';
import { describe, expect, it } from 'vitest';
import { folderOf, writeFiles } from '../../../../test/folder.ts';
import { commitOf } from './commit-of.ts';
import { evaluate } from './evaluate.ts';
import { openEvaluation } from './open-evaluation.ts';
import { isOfOlderCode } from './run-code.ts';

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

describe('a run that code saves records its commit and the hashes of its files:', () => {
  const evalSet = cases([evalCase('hi', [{ user: 'Hi', calls: [] }])]);
  const registry = createRegistry([toolTrajectory]);
  const config = { criteria: { tool_trajectory_avg_score: 1 } };

  it.each([
    [
      'evaluate',
      (agent: string, folder: string) => evaluate({ agent, evalSet, registry, config, folder }).then(() => undefined),
    ],
    [
      'openEvaluation',
      async (agent: string, folder: string) => {
        const opened = await openEvaluation({ agent, evalSets: [evalSet], registry, config });
        await opened.persistTo(folder, [{ setId: evalSet.evalSetId, caseId: 'hi' }]);
        await opened.close();
      },
    ],
  ])('%s', async (_, save) => {
    const { folder, git } = repository();
    const agent = join(folder, 'agent.mjs');
    const run = join(folder, '.agent-criteria', 'runs', 'one');
    await save(agent, run);
    expect(openRun(run).plan.commit).toEqual({ hash: git('rev-parse', 'HEAD'), branch: 'trunk', dirty: false });
    expect(isOfOlderCode(run)).toBe(false);
    writeFileSync(agent, 'export const rootAgent = () => 2;\n');
    expect(isOfOlderCode(run)).toBe(true);
  });
});
