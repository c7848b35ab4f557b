import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentFunction } from '@agent-criteria/core';
import { beforeEach, describe, expect, it } from 'vitest';
import { folderOf } from '../../../../test/folder.ts';
import { casesNamed, casesOf, counting, planned, textCriterion } from '../__fixtures__/echo-runs.ts';
import { changedJournal } from '../journal/journal.ts';
import { memoryJournal } from '../journal/memory-journal.ts';
import { type RunOptions, run } from '../run.ts';
import { openRun } from './open-run.ts';

let folder: string;
let judged: number;
beforeEach(() => {
  folder = join(folderOf({}), 'run');
  judged = 0;
});

const criterion = textCriterion((actual, expected) => {
  judged += 1;
  return actual === expected ? 1 : 0.25;
});
const sets = [planned(casesNamed(['right', 'wrong']), { criterion })];
/** Correct for one case, wrong for the other. */
const answer: AgentFunction = (message, { key }) => (key.caseId === 'wrong' ? 'what?' : message);
const start = (options: Partial<RunOptions> = {}) => run({ sets, agent: answer, folder, ...options });
const scores = () => join(folder, 'scorings', '1', 'scores.jsonl');

/** Replaces text in the score lines of the case "wrong". */
function change(from: RegExp, to: string): void {
  const lines = readFileSync(scores(), 'utf8').split('\n');
  const changed = lines.map((line) => (line.includes('"caseId":"wrong"') ? line.replaceAll(from, to) : line));
  expect(changed).not.toEqual(lines);
  writeFileSync(scores(), changed.join('\n'));
}

const verdictsOf = async () => (await casesOf(openRun(folder))).map(({ result }) => result.verdict);

describe('a resumed run', () => {
  it.each([
    ['the verdict of the case', /"verdict":"failed","reason"(?=[^\]]*"criteria":\[)/g, '"verdict":"passed","reason"'],
    ['every verdict', /"verdict":"failed"/g, '"verdict":"passed"'],
  ])('detects a change in %s', async (_, from, to) => {
    await start();
    change(from, to);
    const { ran, agent } = counting();
    const outcome = await start({ agent });
    expect(outcome).toMatchObject({ finished: true, problems: [], summary: { verdicts: { passed: 1, failed: 1 } } });
    expect(outcome.warnings).toEqual([
      {
        code: 'RUN_CHANGED',
        file: scores(),
        message:
          'the result of the case "wrong" of "set" has changed since it was saved: it was saved as passed, but its scores make it failed; the scores decide',
      },
    ]);
    // Nothing is run or judged again, and readers see the result derived from the scores.
    expect([ran, judged]).toEqual([[], 2]);
    expect(openRun(folder).summary).toEqual(outcome.summary);
    expect(await verdictsOf()).toEqual(['passed', 'failed']);
    expect((await start()).warnings).toEqual([]);
  });

  it('detects a change in the result of a criterion', async () => {
    await start();
    change(/"score":0.25/g, '"score":0.75');
    const [warning] = (await start()).warnings;
    expect(warning?.message).toContain('echoed was saved as failed (0.75), but its scores make it failed (0.25)');
    const [, wrong] = await casesOf(openRun(folder));
    expect(wrong?.result.criteria[0]?.score).toBe(0.25);
  });

  it('detects a change to the result of a criterion that cannot be converted to a string', async () => {
    await start();
    change(/"score":0.25/g, '"score":{"toString":0}');
    const [warning] = (await start()).warnings;
    expect(warning?.message).toContain('saved as failed ({"toString":0}), but its scores make it failed (0.25)');
  });

  it('detects a change in one of several repeats', async () => {
    await start({ repeats: 2 });
    change(/"verdict":"failed"/g, '"verdict":"passed"');
    const outcome = await start({ repeats: 2 });
    expect(outcome.warnings).toHaveLength(1);
    expect(outcome.summary.verdicts).toMatchObject({ passed: 1, failed: 1 });
    expect(await verdictsOf()).toEqual(['passed', 'failed']);
  });

  it.each([
    ['something other than a number', '"1"'],
    ['a number outside the range', '7'],
    ['something other than a score', '{}'],
  ])('judges a case again if its scores were changed to %s', async (_, value) => {
    await start();
    change(/"scores":\[\{"value":0.25/g, `"scores":[{"value":${value}`);
    const { ran, agent } = counting();
    const outcome = await start({ agent });
    expect(outcome.warnings[0]?.message).toContain('no longer valid; the case is scored again');
    expect(outcome.summary.verdicts).toMatchObject({ passed: 1, failed: 1 });
    expect([ran, judged]).toEqual([[], 3]);
    expect((await start()).warnings).toEqual([]);
  });

  it('changes nothing in an intact folder', async () => {
    const agent: AgentFunction = (message, session) =>
      session.key.caseId === 'wrong' ? 'x'.repeat(100_000) : answer(message, session);
    await start({ repeats: 2, agent });
    const before = readFileSync(scores(), 'utf8');
    rmSync(join(folder, 'scorings', '1', 'summary.json'));
    expect(await start({ repeats: 2, agent })).toMatchObject({ warnings: [], finished: true });
    expect(readFileSync(scores(), 'utf8')).toBe(before);
  });
});

it('a resumed run does not read finished scores from a remote journal', async () => {
  const journal = await memoryJournal();
  const first = await run({ sets, agent: answer, journal: changedJournal(journal, { close: async () => undefined }) });
  const asked: unknown[] = [];
  const scoresOf = async (key: unknown) => {
    asked.push(key);
    return null;
  };
  const watched = changedJournal(journal, { scores: scoresOf });
  const again = await run({ sets, agent: answer, journal: watched });
  expect([again.summary, asked]).toEqual([first.summary, []]);
});

describe('openRun() rejects a stored result', () => {
  it.each([
    [
      'whose verdict does not follow from its criteria',
      /"verdict":"failed","reason"(?=[^\]]*"criteria":\[)/g,
      '"verdict":"passed","reason"',
    ],
    ['whose criteria do not follow from their scores', /"verdict":"failed"/g, '"verdict":"passed"'],
  ])('%s', async (_, from, to) => {
    await start();
    change(from, to);
    const record = openRun(folder);
    expect(record.summary).toMatchObject({ exitCode: 3, verdicts: { passed: 1, error: 1 } });
    expect(await verdictsOf()).toEqual(['passed', 'error']);
    const message =
      'the saved data of the case "wrong" of "set" is inconsistent: it was changed after it was saved; resume the run to get its verdict from its scores again';
    expect(record.warnings).toEqual([{ code: 'RUN_CHANGED', file: scores(), message }]);
    await start();
    expect(openRun(folder).warnings).toEqual([]);
  });
});
