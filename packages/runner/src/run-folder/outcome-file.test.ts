import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { folderOf } from '../../../../test/folder.ts';
import { casesNamed, echo, planned } from '../__fixtures__/echo-runs.ts';
import type { GatesOfRun } from '../conclude-run.ts';
import { run } from '../run.ts';
import { scoreRun } from '../score-run.ts';
import { layout } from './layout.ts';
import { listRun } from './list-runs.ts';
import { openRun } from './open-run.ts';
import { addToOutcome } from './outcome-file.ts';

const sets = [planned(casesNamed(['one', 'two']))];
const gate = { name: 'pass_rate', holds: true, text: 'all of them pass' };
const gates = (more: Partial<GatesOfRun> = {}): GatesOfRun => {
  return { decide: false, names: [{ name: 'pass_rate' }], results: async () => [gate], ...more };
};

let folder: string;
beforeEach(() => {
  folder = join(folderOf({}), 'run');
});
const start = (more: Parameters<typeof run>[0] | object = {}) => run({ sets, agent: echo, folder, ...more });
const outcomeNow = () => openRun(folder).outcome;
const edit = (file: string, change: (text: string) => string) => {
  const text = readFileSync(file, 'utf8');
  expect(change(text)).not.toBe(text);
  writeFileSync(file, change(text));
};

describe('the outcome of a run in a folder', () => {
  it('contains the results of the gates, which read the finished run', async () => {
    const seen: unknown[] = [];
    const { outcome } = await start({
      gates: gates({
        results: async (opened) => {
          seen.push([opened.summary.verdicts.passed, opened.info.units.finished]);
          return [{ ...gate, holds: false }];
        },
      }),
    });
    expect(seen).toEqual([[2, 2]]);
    expect(outcome).toMatchObject({ exitCode: 1, decided: false, gates: [{ name: 'pass_rate', holds: false }] });
    expect(outcomeNow()).toEqual({ state: 'recorded', ...outcome });
    expect(listRun(folder)?.outcome).toEqual({ state: 'recorded', ...outcome });
  });

  it('never has exit code 0 if a gate could not be checked', async () => {
    const results = () => Promise.reject(new Error('no baseline is left'));
    expect((await start({ gates: gates({ results }) })).outcome).toMatchObject({
      exitCode: 3,
      gates: [{ name: 'pass_rate', holds: null, text: 'the gate could not be asked: no baseline is left' }],
    });
  });

  it('has secrets in gate texts masked', async () => {
    const secret = 'sk-live-0123456789abcdef0123456789';
    const results = async () => [{ ...gate, text: `the key ${secret} is in it` }];
    await start({ gates: gates({ results }), environment: { API_KEY: secret } });
    expect(readFileSync(layout.outcome(folder, 1), 'utf8')).not.toContain(secret);
  });

  it('is recorded separately for each scoring pass', async () => {
    await start();
    const again = await scoreRun({ folder, sets, gates: gates({ results: async () => [{ ...gate, holds: null }] }) });
    expect(again.outcome).toMatchObject({ exitCode: 3 });
    expect(openRun(folder, { scoring: 1 }).outcome).toMatchObject({ state: 'recorded', exitCode: 0, gates: [] });
    expect(openRun(folder, { scoring: 2 }).outcome).toMatchObject({ state: 'recorded', exitCode: 3 });
  });

  it('is missing for a run that is unscored or unfinished', async () => {
    expect((await start({ scoring: false, gates: gates() })).outcome).toBeNull();
    expect(outcomeNow()).toBeUndefined();
    rmSync(folder, { recursive: true });
    const stopped = await start({ drain: AbortSignal.abort(), gates: gates() });
    expect([stopped.finished, stopped.outcome, existsSync(layout.outcome(folder, 1))]).toEqual([false, null, false]);
    expect(outcomeNow()).toEqual({ state: 'unfinished' });
  });

  it('is recorded when the run is resumed or scored again', async () => {
    await start({ gates: gates() });
    for (const file of [layout.outcome, layout.summary]) rmSync(file(folder, 1));
    expect(outcomeNow()).toEqual({ state: 'missing', gates: [{ name: 'pass_rate' }] });
    expect(listRun(folder)?.outcome).toMatchObject({ state: 'missing' });
    await start({ gates: gates() });
    expect(outcomeNow()).toMatchObject({ state: 'recorded', gates: [gate] });
    for (const file of [layout.outcome, layout.summary]) rmSync(file(folder, 1));
    expect((await scoreRun({ folder, sets, gates: gates() })).scoring).toBe(1);
    expect(outcomeNow()).toMatchObject({ state: 'recorded', gates: [gate] });
  });

  it('lists a gate that the run started with as unchecked if the run is resumed without it', async () => {
    const stopped = await start({ drain: AbortSignal.abort(), gates: gates({ decide: true }) });
    expect(stopped.outcome).toBeNull();
    const { outcome } = await start();
    expect(outcome).toMatchObject({ exitCode: 3, decided: false, gates: [{ name: 'pass_rate', holds: null }] });
    expect((await start({ gates: gates() })).outcome).toMatchObject({ exitCode: 0, gates: [gate] });
  });

  it('is missing from the time the run is resumed until it ends', async () => {
    await start({ gates: gates() });
    appendFileSync(layout.scores(folder, 1), '\n');
    expect(outcomeNow()).toEqual({ state: 'missing', gates: [{ name: 'pass_rate' }] });
  });

  it('is rejected if the outcome, the scores or the verdicts were edited', async () => {
    const edits: readonly (readonly [(folder: string, scoring: number) => string, (text: string) => string])[] = [
      [layout.outcome, (text) => text.replace('"exitCode": 1', '"exitCode": 0')],
      [layout.outcome, (text) => text.replace('"holds": false', '"holds": true')],
      [layout.outcome, () => '[]'],
      [layout.scores, (text) => text.replace('"value":1', '"value":2')],
      [layout.scores, (text) => text.slice(0, -10)],
    ];
    for (const [file, change] of edits) {
      await start({ gates: gates({ results: async () => [{ ...gate, holds: false }] }) });
      edit(file(folder, 1), change);
      expect(['changed', 'unfinished']).toContain(outcomeNow()?.state);
      rmSync(folder, { recursive: true });
    }
  });

  it('is rejected if it contradicts the scores, even if its hash is correct', async () => {
    await start({ gates: gates() });
    const other = join(folderOf({}), 'run');
    await run({ sets, agent: () => 'something else', folder: other, gates: gates() });
    // The outcome of a run that passed, placed beside the scores of one that failed.
    const { recordHash, ...rest } = JSON.parse(readFileSync(layout.outcome(folder, 1), 'utf8'));
    const { madeFrom } = JSON.parse(readFileSync(layout.outcome(other, 1), 'utf8'));
    const { sha256 } = await import('@agent-criteria/calls');
    const forged = { ...rest, madeFrom };
    writeFileSync(layout.outcome(other, 1), JSON.stringify({ ...forged, recordHash: sha256(JSON.stringify(forged)) }));
    expect(recordHash).toMatch(/^[0-9a-f]{64}$/);
    expect(openRun(other).outcome).toEqual({
      state: 'changed',
      problem: 'the recorded outcome has other verdicts than the scores of this run',
    });
  });

  it('includes problems that occurred after the end of the run', async () => {
    await start({ gates: gates() });
    expect(addToOutcome(openRun(folder), ['a report could not be written'])).toMatchObject({ exitCode: 3 });
    expect(outcomeNow()).toMatchObject({
      state: 'recorded',
      exitCode: 3,
      problems: ['a report could not be written'],
      gates: [gate],
    });
    edit(layout.outcome(folder, 1), (text) => text.replace('"exitCode": 3', '"exitCode": 0'));
    expect(addToOutcome(openRun(folder), ['one thing more'])).toMatchObject({ state: 'changed' });
  });

  it("reports that the config's gates were not checked if the caller passes none", async () => {
    const [set] = sets as [(typeof sets)[number]];
    const config = { ...set.plan.config, agentCriteria: { gates: { pass_rate: 0.9 } } };
    await start({ sets: [{ ...set, plan: { ...set.plan, config } }] });
    expect(outcomeNow()).toMatchObject({ state: 'recorded', exitCode: 0, unasked: true });
  });
});
