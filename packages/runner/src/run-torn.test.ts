import { cpSync, existsSync, readFileSync, truncateSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { AgentFunction } from '@agent-criteria/core';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { folderOf } from '../../../test/folder.ts';
import { runs } from '../../../test/runs.ts';
import { casesNamed, casesOf, planned, textCriterion } from './__fixtures__/echo-runs.ts';
import { run } from './run.ts';
import { openRun } from './run-folder/open-run.ts';

const FILES = ['inferences.jsonl', join('scorings', '1', 'scores.jsonl')];
const set = casesNamed(['one', 'two', 'three']);

interface Behaviour {
  readonly agent: readonly string[];
  readonly judge: readonly string[];
}

/** The failures during one start: how the agent and the judge behave for each case and repeat. */
const behaviour: fc.Arbitrary<Behaviour> = fc.record({
  agent: fc.array(fc.constantFrom('right', 'right', 'wrong', 'throws', 'long'), { minLength: 6, maxLength: 6 }),
  judge: fc.array(fc.constantFrom('judges', 'judges', 'throws'), { minLength: 6, maxLength: 6 }),
});
const GOOD: Behaviour = { agent: Array(6).fill('right'), judge: Array(6).fill('judges') };

/** A start that is killed. */
const killed = fc.record({
  behaviour,
  rerun: fc.constantFrom(undefined, 'failed' as const, 'errored' as const, 'all' as const),
  agents: fc.integer({ min: 1, max: 3 }),
  /** The number of events after which the folder is copied. */
  after: fc.integer({ min: 1, max: 40 }),
  /** The fraction of each file that survives a power cut. */
  shares: fc.array(fc.constantFrom(1, 1, 0.99, 0.7, 0.3, 0), { minLength: 2, maxLength: 2 }),
});

/** Every answer names the agent's behaviour, so that scores of a different inference can be detected. */
function options(folder: string | undefined, { agent, judge }: Behaviour) {
  const answer: AgentFunction = async (message, { key }) => {
    const index = set.evalCases.findIndex(({ evalId }) => evalId === key.caseId) * 2 + key.repeat;
    const does = agent[index];
    if (index % 2 === 0) await new Promise((done) => setImmediate(done));
    if (does === 'throws') throw new Error('the agent is down');
    return `${index} ${does} ${does === 'long' ? 'x'.repeat(70_000) : message}`;
  };
  const criterion = textCriterion(async (text) => {
    const [index, does] = text?.split(' ') ?? [];
    if (Number(index) % 3 === 0) await new Promise((done) => setImmediate(done));
    if (judge[Number(index)] === 'throws') throw new Error('the judge is down');
    return does === 'wrong' ? 0 : 1;
  });
  return { sets: [planned(set, { criterion })], agent: answer, repeats: 2, folder };
}

/** Copies the files that a killed start leaves behind. */
async function killedStart(
  folder: string,
  left: string,
  start: typeof killed extends fc.Arbitrary<infer T> ? T : never,
) {
  const { behaviour: does, rerun, agents, after, shares } = start;
  let events = 0;
  // The copy must have no owner, because the process that writes the original is still running.
  const filter = (path: string) => basename(path) !== 'lock';
  const leave = () => cpSync(folder, left, { recursive: true, filter });
  const onEvent = () => {
    if (events++ === after) leave();
  };
  await run({ ...options(folder, does), rerun, concurrency: { agents }, onEvent });
  if (!existsSync(left)) leave();
  for (const [index, share] of shares.entries()) {
    const file = join(left, FILES[index] ?? '');
    truncateSync(file, Math.floor(readFileSync(file).length * share));
  }
}

/**
 * Checks that every result matches the inferences stored with it, and that nothing unscored passes. Returns the
 * verdicts.
 */
async function verdictsOf(folder: string): Promise<string[]> {
  const record = openRun(folder);
  const all = await casesOf(record);
  for (const { result, inferences } of all) {
    if (result.verdict === 'error') continue;
    const did = inferences.map(
      ({ inference }) => inference.invocations[0]?.finalResponse?.parts?.[0]?.text?.split(' ')[1],
    );
    const turns = result.criteria[0]?.turns ?? [];
    expect([did.length, turns.map(({ repeat }) => repeat)]).toEqual([2, [0, 1]]);
    for (const [index, { value, score }] of turns.entries()) {
      expect(score).toMatchObject({ value });
      if (value !== null) expect(value).toBe(did[index] === 'wrong' ? 0 : 1);
    }
    if (result.verdict === 'passed') expect(turns.map(({ value }) => value)).toEqual([1, 1]);
  }
  const verdicts = all.map(({ result }) => result.verdict);
  const counted = Object.entries(record.summary.verdicts).flatMap(([verdict, count]) => Array(count).fill(verdict));
  expect([...verdicts].sort()).toEqual(counted.sort());
  return verdicts;
}

it('a run killed several times ends like an uninterrupted one, and passes no unscored case', async () => {
  const base = folderOf({});
  let count = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(killed, { minLength: 1, maxLength: 3 }), behaviour, async (starts, last) => {
      let folder = join(base, String(count++));
      for (const start of starts) {
        const left = join(base, String(count++));
        await killedStart(folder, left, start);
        folder = left;
        await verdictsOf(folder);
      }
      await run(options(folder, last));
      const before = await verdictsOf(folder);
      // Failed cases are finished, so they stay. The others follow the current behaviour of the agent and judge.
      const resumed = await run(options(folder, GOOD));
      expect(resumed.finished).toBe(true);
      const verdicts = await verdictsOf(folder);
      expect(verdicts.map((verdict) => verdict === 'passed' || verdict === 'failed')).toEqual([true, true, true]);
      expect(before.map((verdict, index) => verdict === 'passed' && verdicts[index] !== 'passed')).not.toContain(true);
      expect(openRun(folder).summary).toEqual(resumed.summary);
      const again = await run({ ...options(folder, GOOD), rerun: 'all' });
      const direct = await run(options(undefined, GOOD));
      expect(again).toMatchObject({ finished: true, summary: direct.summary });
      expect(await verdictsOf(folder)).toEqual(['passed', 'passed', 'passed']);
    }),
    { numRuns: runs(Number(process.env.KILLS ?? 5) * 8) },
  );
}, 120_000);
