import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunCall } from '@agent-criteria/results';
import { openRun } from '@agent-criteria/runner';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { oldRuns, type Totals } from './run-folders.ts';
import { start } from './start.ts';

// Runs that were begun with an older version go on with this one, and come to what they would have come to.
describe.each(['13f4ba6'])('a run folder of %s', (version) => {
  const folder = mkdtempSync(join(tmpdir(), 'agent-criteria-run-folders-'));
  const file = join(folder, 'totals.json');
  let totals: Readonly<Record<string, Totals>> = {};
  beforeAll(async () => {
    await start('resume-run-folders.ts', [version, file]);
    totals = JSON.parse(readFileSync(file, 'utf8'));
  }, 300_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const expected: Readonly<Record<string, Totals>> = JSON.parse(
    readFileSync(join(import.meta.dirname, 'run-folders', version, 'expected.json'), 'utf8'),
  );

  it('is resumed for each that is kept', () => {
    expect(Object.keys(expected)).toEqual(oldRuns.map(({ name }) => name));
  });

  it.each(Object.keys(expected))('%s comes to equal totals, and asks the agent only what was missing', (name) => {
    expect(totals[name]).toEqual(expected[name]);
  });

  it('is read under the names of today, whatever its files call them', async () => {
    const run = openRun(join(import.meta.dirname, 'run-folders', version, 'runs', 'finished'));
    const calls: RunCall[] = [];
    for await (const one of run.cases()) calls.push(...(one.calls ?? []));
    const [criterion] = run.sets[0]?.criteria ?? [];
    expect([criterion?.decides, criterion && 'gates' in criterion]).toEqual([true, false]);
    expect(calls[0]).toMatchObject({ caller: 'final_response_match_v2', target: 'scripted' });
    expect(calls.filter((call) => 'by' in call || 'to' in call)).toEqual([]);
  });
});
