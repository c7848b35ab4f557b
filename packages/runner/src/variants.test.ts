import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentFunction, UnitKey } from '@agent-criteria/core';
import { evalCase, evalSet } from '@agent-criteria/core/testing';
import type { RunCase } from '@agent-criteria/results';
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { describe, expect, it } from 'vitest';
import { folderOf } from '../../../test/folder.ts';
import { casesNamed, casesOf, counting, echo, echoed, planned, textCriterion } from './__fixtures__/echo-runs.ts';
import { variantProblems } from './agents.ts';
import { memoryJournal } from './journal/memory-journal.ts';
import { journalRecord } from './journal/read-cases.ts';
import { openTelemetrySpans } from './otel.ts';
import { type RunOptions, run } from './run.ts';
import { listRuns } from './run-folder/list-runs.ts';
import { openRun } from './run-folder/open-run.ts';
import { scoreRun } from './score-run.ts';

const set = casesNamed(['one', 'two', 'three']);
/** Wrong for one case. */
const slow: AgentFunction = (message) => (message === 'I am two' ? 'I am somebody else' : message);
const both = { fast: echo, 'slow.v2': slow };

function newFolder(): string {
  return join(folderOf({}), 'run');
}

function verdicts(cases: readonly RunCase[]): string[] {
  return cases.map(({ evalCase, variant, result }) => `${evalCase.evalId} ${variant}: ${result.verdict}`);
}

const expected = [
  'one fast: passed',
  'one slow.v2: passed',
  'two fast: passed',
  'two slow.v2: failed',
  'three fast: passed',
  'three slow.v2: passed',
];

describe('several agents in one run', () => {
  it('each run every case and get a summary; if one fails, the run fails', async () => {
    const folder = newFolder();
    const outcome = await run({ sets: [planned(set)], variants: both, folder, repeats: 2 });
    expect(outcome).toMatchObject({
      finished: true,
      summary: { total: 6, exitCode: 1, verdicts: { passed: 5, failed: 1 } },
      sets: [{ id: 'set', summary: { total: 6 } }],
      variants: [
        { variant: 'fast', summary: { total: 3, exitCode: 0 } },
        { variant: 'slow.v2', summary: { total: 3, exitCode: 1 } },
      ],
    });
    const opened = openRun(folder);
    const cases = await casesOf(opened);
    expect(verdicts(cases)).toEqual(expected);
    expect(cases.map(({ result, variant }) => result.variant === variant)).toEqual(Array(6).fill(true));
    expect(cases[1]?.inferences.map(({ key }) => key)).toEqual([
      { setId: 'set', caseId: 'one', repeat: 0, variant: 'slow.v2' },
      { setId: 'set', caseId: 'one', repeat: 1, variant: 'slow.v2' },
    ]);
    expect(opened.summary).toEqual(outcome.summary);
    expect(opened.info).toMatchObject({
      agent: 'fast=echo, slow.v2=slow',
      units: { total: 12, finished: 12 },
      variants: [
        { name: 'fast', agent: 'echo', summary: { exitCode: 0 } },
        { name: 'slow.v2', agent: 'slow', summary: { exitCode: 1 } },
      ],
    });
    expect((await opened.case({ setId: 'set', caseId: 'two', variant: 'slow.v2' }))?.result.verdict).toBe('failed');
    expect((await opened.case({ setId: 'set', caseId: 'two' }))?.variant).toBe('fast');
    expect(await opened.case({ setId: 'set', caseId: 'two', variant: 'other' })).toBeUndefined();
    const [listed] = listRuns(join(folder, '..'));
    expect(listed).toMatchObject({ agent: 'fast=echo, slow.v2=slow', units: { total: 12, finished: 12 } });
  });

  it('have the same results in memory as in a folder', async () => {
    const journal = await memoryJournal();
    const folder = newFolder();
    const options: RunOptions = { sets: [planned(set)], variants: both, repeats: 2 };
    const outcome = await run({ ...options, journal });
    const { folder: _, ...kept } = await run({ ...options, folder });
    expect({ ...outcome, folder: undefined }).toEqual({ ...kept, folder: undefined });
    const { info } = openRun(folder);
    const { id, startedAt, endedAt, agent, repeats } = info;
    const variants = info.variants?.map(({ name, agent: own }) => ({ name, agent: own }));
    const record = await journalRecord(journal, { id, startedAt, endedAt, agent, repeats, variants }, [planned(set)]);
    expect(record.info.variants).toEqual(info.variants);
    expect(record.info.units).toEqual(info.units);
    expect(verdicts(await casesOf(record))).toEqual(expected);
    expect((await record.case({ setId: 'set', caseId: 'two', variant: 'slow.v2' }))?.result.verdict).toBe('failed');
    expect((await record.case({ setId: 'set', caseId: 'two' }))?.variant).toBe('fast');
  });

  it('never share a session, and have the variant in their keys', async () => {
    const input = { appName: 'a', userId: 'u', sessionId: 'pinned-1' };
    const pinned = evalSet([evalCase('one', [{ user: 'a' }, { user: 'b' }], { sessionInput: input })]);
    const counts = new Map<string, number>();
    const keys: UnitKey[] = [];
    // Behaves like a server that both variants use, which stores conversations by session id.
    const remembering: AgentFunction = (_message, { id, key }) => {
      keys.push(key);
      counts.set(id, (counts.get(id) ?? 0) + 1);
      return `message ${counts.get(id)} of ${id}`;
    };
    const variants = { one: remembering, two: remembering };
    const folder = newFolder();
    await run({ sets: [planned(pinned)], variants, folder, repeats: 2 });
    expect(counts.size).toBe(4);
    expect([...counts.values()]).toEqual([2, 2, 2, 2]);
    expect([...counts.keys()].filter((id) => id.startsWith('pinned'))).toEqual(['pinned-1~one', 'pinned-1~two']);
    const named = keys.map(({ variant, repeat }) => `${variant} ${repeat}`);
    expect([...new Set(named)].sort()).toEqual(['one 0', 'one 1', 'two 0', 'two 1']);
    const [first] = await casesOf(openRun(folder));
    expect(first?.inferences[0]?.inference.sessionId).toBe('pinned-1~one');
    // The records belong to the same cases as before, so nothing runs again.
    const before = keys.length;
    await run({ sets: [planned(pinned)], variants, folder, repeats: 2 });
    expect(keys).toHaveLength(before);
  });

  it('make the run exit with code 3 if none fails but one has an error', async () => {
    const broken: AgentFunction = (message) => {
      if (message === 'I am two') throw new Error('down');
      return message;
    };
    const outcome = await run({ sets: [planned(set)], variants: { a: echo, b: broken } });
    expect(outcome.variants?.map(({ summary }) => summary.exitCode)).toEqual([0, 3]);
    expect(outcome.summary.exitCode).toBe(3);
  });

  it('resume a killed run, each with its own missing units', async () => {
    const base = folderOf({});
    const [folder, killed] = [join(base, 'run'), join(base, 'killed')];
    let ran = 0;
    const gate: AgentFunction = async (message) => {
      ran += 1;
      // The files that a process killed here would leave: everything written so far, and no lock.
      if (ran === 3) cpSync(folder, killed, { recursive: true, filter: (file) => !file.includes('lock') });
      return message;
    };
    const concurrency = { agents: 1, scoring: 1 };
    const sets = [planned(set)];
    await run({ sets, variants: { fast: gate, 'slow.v2': gate }, folder, concurrency });
    const before = (await casesOf(openRun(killed))).flatMap(({ inferences }) => inferences.map(({ key }) => key));
    expect(before.map(({ caseId, variant }) => `${caseId} ${variant}`)).toEqual(['one fast', 'one slow.v2']);
    const again = { fast: counting(), slow: counting(slow) };
    const [fast, other] = [again.fast.agent, again.slow.agent];
    const outcome = await run({
      sets,
      variants: { fast, 'slow.v2': other },
      folder: killed,
    });
    expect([again.fast.ran.sort(), again.slow.ran.sort()]).toEqual([
      ['three 0', 'two 0'],
      ['three 0', 'two 0'],
    ]);
    expect(outcome.summary).toMatchObject({ total: 6, exitCode: 1 });
    expect(verdicts(await casesOf(openRun(killed)))).toEqual(expected);
  });

  it('rerun only the failed cases, and only for the variant that failed', async () => {
    const folder = newFolder();
    await run({ sets: [planned(set)], variants: both, folder });
    const [fast, other] = [counting(), counting()];
    const variants = { fast: fast.agent, 'slow.v2': other.agent };
    const outcome = await run({ sets: [planned(set)], variants, folder, rerun: 'failed' });
    expect([fast.ran, other.ran]).toEqual([[], ['two 0']]);
    expect(outcome.summary).toMatchObject({ total: 6, exitCode: 0 });
  });

  it('are scored again separately', async () => {
    const folder = newFolder();
    await run({ sets: [planned(set)], variants: both, folder });
    const lenient = textCriterion(() => 1);
    const outcome = await scoreRun({ sets: [planned(set, { criterion: lenient })], folder });
    expect(outcome).toMatchObject({
      scoring: 2,
      summary: { total: 6, exitCode: 0 },
      variants: [{ variant: 'fast' }, { variant: 'slow.v2' }],
    });
    expect(openRun(folder, { scoring: 1 }).summary.exitCode).toBe(1);
    const strict = await scoreRun({ sets: [planned(set, { criterion: echoed })], folder });
    expect(strict.variants?.map(({ summary }) => summary.exitCode)).toEqual([0, 1]);
  });

  it('cannot change when a run is resumed', async () => {
    const folder = newFolder();
    await run({ sets: [planned(set)], variants: both, folder });
    const variants = { 'slow.v2': slow, fast: echo };
    await expect(run({ sets: [planned(set)], variants, folder })).rejects.toThrow(
      'the run has the variants fast, slow.v2, but now there are the variants slow.v2, fast',
    );
    await expect(run({ sets: [planned(set)], agent: echo, folder })).rejects.toThrow(
      'but now there is one agent and no variants',
    );
    const single = newFolder();
    await run({ sets: [planned(set)], agent: echo, folder: single });
    await expect(run({ sets: [planned(set)], variants: both, folder: single })).rejects.toThrow(
      'the run has one agent and no variants, but now there are the variants fast, slow.v2',
    );
  });

  it('are distinguished in spans', async () => {
    const exporter = new InMemorySpanExporter();
    const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
    const onEvent = openTelemetrySpans(provider.getTracer('test'));
    await run({ sets: [planned(casesNamed(['one']))], variants: both, onEvent });
    const spans = exporter.getFinishedSpans().filter(({ name }) => name === 'evaluate case');
    expect(spans.map(({ attributes }) => attributes['agent_criteria.variant'])).toEqual(['fast', 'slow.v2']);
  });
});

describe('variant names', () => {
  it('must be valid file names on every file system', async () => {
    expect(variantProblems(['a', 'B-2', 'gemini-2.5-pro', 'x_y'])).toEqual([]);
    for (const name of ['', '-a', '.', '..', 'a/b', 'a b', 'é', 'a'.repeat(65)])
      expect(variantProblems([name])[0]?.message).toContain('cannot be the name of a variant');
    expect(variantProblems(['a', 'b', 'a'])[0]?.message).toBe(
      'there are two variants named "a"; give each its own name',
    );
    expect(variantProblems(['Fast', 'fast'])[0]?.message).toContain('which differs from "Fast" only in case');
    await expect(run({ sets: [planned(set)], variants: {} })).rejects.toThrow('the list of variants is empty');
  });

  it('appear in errors from agents', async () => {
    const broken = {
      name: 'broken',
      check: async () => [{ code: 'AGENT_FAILED' as const, message: 'no key' }],
      open: () => Promise.reject(new Error('not called')),
    };
    const variants = { ...both, third: broken };
    await expect(run({ sets: [planned(set)], variants })).rejects.toThrow('variant "third": no key');
  });
});

it('a run of a single agent has no variants in its files', async () => {
  const folder = newFolder();
  await run({ sets: [planned(set)], agent: echo, folder });
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
  for (const { parentPath, name } of files)
    expect(readFileSync(join(parentPath, name), 'utf8')).not.toContain('variant');
  expect(openRun(folder).info).not.toHaveProperty('variants');
});
