import { join } from 'node:path';
import { openRun } from '@agent-criteria/runner';
import { describe, expect, it } from 'vitest';
import { folderOf } from '../../../../test/folder.ts';
import { saveRun } from '../__fixtures__/saved-runs.ts';
import { failedInRun } from './failed-cases.ts';
import { findRun } from './find-run.ts';
import { changesSinceRunBefore, runBefore } from './run-before.ts';

const selection = { of: 2, by: ['--tag smoke'] };
const commit = (hash: string) => ({ hash: hash.padEnd(40, '0'), dirty: false });

describe('last~1', () => {
  it('is the run of the same eval sets and agent before the last one', async () => {
    const runs = folderOf({});
    const first = await saveRun(runs, '20260101-000000-aaaa');
    await saveRun(runs, '20260102-000000-aaaa', { set: 'garden' });
    await saveRun(runs, '20260103-000000-aaaa', { agent: 'other.mjs' });
    const second = await saveRun(runs, '20260104-000000-aaaa');
    const third = await saveRun(runs, '20260105-000000-aaaa');
    expect(findRun('last~1', runs)).toBe(second);
    expect(findRun('last~2', runs)).toBe(first);
    expect(findRun('last~0', runs)).toBe(third);
    expect(() => findRun('last~3', runs)).toThrow(/before 20260101-000000-aaaa there is no/);
  });

  it('passes over runs of some cases, and runs that were never judged', async () => {
    const runs = folderOf({});
    const first = await saveRun(runs, '20260101-000000-aaaa');
    await saveRun(runs, '20260102-000000-aaaa', { selection });
    await saveRun(runs, '20260103-000000-aaaa', { scoring: false });
    const last = await saveRun(runs, '20260104-000000-aaaa');
    await saveRun(runs, '20260105-000000-aaaa', { selection: { of: 2, by: ['--watch'] } });
    expect(findRun('last', runs)).toBe(last);
    expect(findRun('last~1', runs)).toBe(first);
    expect(findRun('20260105', runs)).toBe(join(runs, '20260105-000000-aaaa'));
  });
});

describe('findRun', () => {
  it('says how to name a run if all runs are of some cases', async () => {
    const runs = folderOf({});
    await saveRun(runs, '20260101-000000-aaaa', { selection });
    expect(() => findRun('last', runs)).toThrow(/name one by its id \(the newest is 20260101-000000-aaaa\)/);
  });

  it('finds the newest whole run of a commit by at least four digits of its hash', async () => {
    const runs = folderOf({});
    await saveRun(runs, '20260101-000000-aaaa', { commit: commit('abcd1') });
    const second = await saveRun(runs, '20260102-000000-aaaa', { commit: commit('abcd1') });
    await saveRun(runs, '20260103-000000-aaaa', { commit: commit('abcd1'), selection });
    await saveRun(runs, '20260104-000000-aaaa', { commit: commit('abce') });
    expect(findRun('abcd', runs)).toBe(second);
    expect(findRun('ABCD10', runs)).toBe(second);
    for (const word of ['abc', 'abcf']) {
      expect(() => findRun(word, runs)).toThrow(expect.objectContaining({ code: 'RUN_NOT_FOUND' }));
    }
  });

  it('rejects digits that begin the hashes of several commits, or an id as well', async () => {
    const runs = folderOf({});
    await saveRun(runs, '20260101-000000-aaaa', { commit: commit('abcd1') });
    await saveRun(runs, '20260102-000000-aaaa', { commit: commit('abcd2') });
    expect(() => findRun('abcd', runs)).toThrow(/abcd2.*abcd1/);
    await saveRun(runs, '20270102-000000-aaaa', { commit: commit('20260102') });
    expect(() => findRun('20260102', runs)).toThrow(
      /20260102-000000-aaaa, 20270102-000000-aaaa \(commit 202601020000\)/,
    );
  });

  it('finds the newest run with a name', async () => {
    const runs = folderOf({});
    await saveRun(runs, '20260101-000000-aaaa', { name: 'nightly' });
    const second = await saveRun(runs, '20260102-000000-aaaa', { name: 'nightly' });
    expect(findRun('nightly', runs)).toBe(second);
  });
});

describe('changesSinceRunBefore', () => {
  it('lists the cases whose verdicts differ from those of the run before', async () => {
    const runs = folderOf({});
    await saveRun(runs, '20260101-000000-aaaa', {
      cases: { a: true, b: false, c: true },
      commit: commit('abcd'),
      name: 'short prompt',
    });
    const folder = await saveRun(runs, '20260102-000000-aaaa', { cases: { a: false, b: true, c: true, d: true } });
    expect(await changesSinceRunBefore(openRun(folder), runs)).toMatchObject({
      run: '20260101-000000-aaaa',
      name: 'short prompt',
      commit: commit('abcd'),
      changes: [
        { setId: 'home', caseId: 'a', before: 'passed', now: 'failed' },
        { setId: 'home', caseId: 'b', before: 'failed', now: 'passed' },
      ],
    });
  });

  it('leaves out cases that give the agent different input', async () => {
    const runs = folderOf({});
    await saveRun(runs, '20260101-000000-aaaa');
    const folder = await saveRun(runs, '20260102-000000-aaaa', { cases: { a: false, b: true }, asks: '?' });
    expect(await changesSinceRunBefore(openRun(folder), runs)).toMatchObject({ changes: [] });
  });

  it('compares a run of some cases with the whole run before, and is absent without one', async () => {
    const runs = folderOf({});
    const first = await saveRun(runs, '20260101-000000-aaaa');
    const folder = await saveRun(runs, '20260102-000000-aaaa', { cases: { a: false }, selection });
    expect(await changesSinceRunBefore(openRun(folder), runs)).toMatchObject({ changes: [{ caseId: 'a' }] });
    expect(await changesSinceRunBefore(openRun(first), runs)).toBeNull();
    expect(runBefore(openRun(first), runs)).toBeNull();
  });
});

describe('failedInRun', () => {
  const of = [{ file: 'agent.mjs', agentName: undefined }];
  const failed = async (runs: string) => {
    const { has, ...rest } = await failedInRun('last', of, { runsFolder: runs, knowsIds: true } as never);
    const from = { setId: 'home', file: 'home.evalset.json' };
    return { ...rest, cases: ['a', 'b', 'c'].filter((id) => has(from, id)) };
  };

  it('counts each case with its last verdict, back to the last run of all cases', async () => {
    const runs = folderOf({});
    await saveRun(runs, '20260101-000000-aaaa', { cases: { a: false, b: false, c: false } });
    await saveRun(runs, '20260102-000000-aaaa', { cases: { a: false, b: false, c: true } });
    expect(await failed(runs)).toMatchObject({ cases: ['a', 'b'], ids: ['20260102-000000-aaaa'], total: 3 });
    await saveRun(runs, '20260103-000000-aaaa', { cases: { a: true }, selection });
    expect(await failed(runs)).toMatchObject({
      cases: ['b'],
      ids: ['20260103-000000-aaaa', '20260102-000000-aaaa'],
      count: 1,
      total: 3,
    });
  });
});
