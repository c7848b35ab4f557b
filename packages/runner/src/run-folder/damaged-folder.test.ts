import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CriteriaError } from '@agent-criteria/core';
import { evalCase, evalSet } from '@agent-criteria/core/testing';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { folderOf } from '../../../../test/folder.ts';
import { runs } from '../../../../test/runs.ts';
import { casesNamed, casesOf, echo, planned } from '../__fixtures__/echo-runs.ts';
import { type RunOptions, run } from '../run.ts';
import { scoreRun } from '../score-run.ts';
import { listRuns } from './list-runs.ts';
import { openRun } from './open-run.ts';

const set = casesNamed(['one', 'two']);
const sets = [planned(set)];
let folder: string;
beforeEach(() => {
  folder = join(folderOf({}), 'run');
});
const start = (options: Partial<RunOptions> = {}) => run({ sets, agent: echo, folder, ...options });
const file = (...names: string[]) => join(folder, ...names);
const FILES = [
  'plan.json',
  'inferences.jsonl',
  'scorings/1/plan.json',
  'scorings/1/scores.jsonl',
  'scorings/1/summary.json',
];

/** Reads a whole run in every possible way, and resumes it. */
async function useAll(): Promise<void> {
  for (const use of [
    async () => void listRuns(join(folder, '..')),
    async () => void (await casesOf(openRun(folder))),
    async () => void (await start()),
    async () => void (await scoreRun({ folder, sets })),
  ]) {
    try {
      await use();
    } catch (error) {
      if (!CriteriaError.is(error)) throw error;
    }
  }
}

describe('damaged run files', () => {
  const rubbish = fc.oneof(
    fc.jsonValue(),
    fc.constantFrom(-1, 1e308, 2 ** 31, '__proto__', 'passed', '../../etc/passwd', null, {}, [], [null], [[]]),
  );

  it('are either rejected with a clear message or skipped', async () => {
    await start({ agent: (message, { key }) => (key.caseId === 'one' ? 'x'.repeat(70_000) : message) });
    const whole = new Map(FILES.map((name) => [name, readFileSync(file(name), 'utf8')]));
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...FILES), fc.nat(), fc.nat(), rubbish, async (name, line, place, value) => {
        for (const [each, text] of whole) writeFileSync(file(each), text);
        rmSync(file('scorings', '2'), { recursive: true, force: true });
        const isLines = name.endsWith('.jsonl');
        const texts = isLines ? (whole.get(name) ?? '').split('\n').slice(0, -1) : [whole.get(name) ?? ''];
        const index = line % texts.length;
        texts[index] = JSON.stringify(replaced(JSON.parse(texts[index] ?? ''), place, value));
        writeFileSync(file(name), `${texts.join('\n')}\n`);
        await useAll();
      }),
      { numRuns: runs(100) },
    );
    expect(({} as { polluted?: string }).polluted).toBeUndefined();
  });

  it('never make a case without an inference pass', async () => {
    await start({ drain: AbortSignal.abort() });
    const other = casesNamed(['one', 'two']);
    const elsewhere = join(folderOf({}), 'run');
    await run({
      sets: [planned({ ...other, evalCases: casesNamed(['five', 'six']).evalCases })],
      agent: echo,
      folder: elsewhere,
    });
    for (const name of ['inferences.jsonl', 'scorings/1/scores.jsonl']) {
      appendFileSync(file(name), readFileSync(join(elsewhere, name)));
    }
    const record = openRun(folder);
    expect(record.summary.verdicts).toMatchObject({ passed: 0, error: 2 });
    expect(record.info).toMatchObject({ endedAt: null, units: { total: 2, finished: 0 } });
  });

  it.each([
    ['{"format":1}', 'this plan of a run is damaged: "id" is invalid'],
    ['[]', 'it has no "format"'],
    ['', 'it is not JSON'],
  ])('are reported if the plan is %j', async (text, told) => {
    await start();
    writeFileSync(file('plan.json'), text);
    expect(() => openRun(folder)).toThrow(told);
    await expect(start()).rejects.toThrow(told);
  });

  it('are reported before the run if the plan has a million repeats', async () => {
    await start();
    writeFileSync(
      file('plan.json'),
      readFileSync(file('plan.json'), 'utf8').replace('"repeats": 1', '"repeats": 1000000'),
    );
    const told =
      'plan.json $.repeats: this plan of a run asks for 1000000 repeats of each case, but a run can have at most 10000';
    expect(() => openRun(folder)).toThrow(told);
    await expect(start({ repeats: 1_000_000 })).rejects.toThrow('repeats must be at most 10000, not 1000000');
    await expect(start()).rejects.toThrow(told);
    await expect(scoreRun({ folder, sets })).rejects.toThrow(told);
    expect(listRuns(join(folder, '..'))[0]?.problem).toContain(told);
  });

  it('are rejected at once if they are pipes or links', async ({ skip }) => {
    if (process.platform === 'win32') skip('needs mkfifo');
    await start();
    const outside = join(folder, '..', 'outside');
    writeFileSync(outside, 'precious');
    for (const name of ['inferences.jsonl', 'scorings/1/scores.jsonl']) {
      const whole = readFileSync(file(name));
      rmSync(file(name));
      symlinkSync(outside, file(name));
      await expect(start()).rejects.toMatchObject({ code: 'WRITE_FAILED' });
      rmSync(file(name));
      execFileSync('mkfifo', [file(name)]);
      await expect(start()).rejects.toMatchObject({ code: 'WRITE_FAILED' });
      expect(() => openRun(folder)).toThrow('it is not a regular file');
      rmSync(file(name));
      mkdirSync(file(name));
      await expect(start()).rejects.toMatchObject({ code: 'WRITE_FAILED' });
      expect(() => openRun(folder)).toThrow('it is not a regular file');
      rmSync(file(name), { recursive: true });
      writeFileSync(file(name), whole);
    }
    expect(readFileSync(outside, 'utf8')).toBe('precious');
    expect((await start()).summary.exitCode).toBe(0);
  });
});

/** Returns the value after replacing one part of it, or all of it, with `other`. */
function replaced(value: unknown, place: number, other: unknown): unknown {
  const places: [Record<string, unknown>, string][] = [];
  const visit = (inner: unknown): void => {
    if (typeof inner !== 'object' || inner === null) return;
    for (const key of Object.keys(inner)) {
      places.push([inner as Record<string, unknown>, key]);
      visit((inner as Record<string, unknown>)[key]);
    }
  };
  const root: Record<string, unknown> = { value };
  places.push([root, 'value']);
  visit(value);
  const [parent, key] = places[place % places.length] ?? [root, 'value'];
  parent[key] = other;
  return root.value;
}

it('openRun() reads cases with arbitrary ids', async () => {
  const odd = evalSet(
    ['__proto__', 'constructor', '"', '\ud800', 'a\nb', ''].map((id) => evalCase(`${id} `, [{ user: id }])),
  );
  const outcome = await start({ sets: [planned(odd)] });
  const record = openRun(folder);
  expect(record.summary).toEqual(outcome.summary);
  expect((await casesOf(record)).map((one) => one.result.verdict)).toEqual(Array(6).fill('passed'));
});
