// Long: runs commands on the files of every older version.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunCall } from '@agent-criteria/results';
import { openRun } from '@agent-criteria/runner';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readingsOf, versions } from './old-files.ts';
import { oldRuns, type Totals } from './run-folders.ts';
import { start } from './start.ts';

/** An intended difference from a recorded fact. */
interface Difference {
  readonly reading: string;
  readonly fact: string;
  /** Computes the current value from the recorded one. */
  readonly today: (was: never) => unknown;
  readonly why: string;
}

const CANNOT_TELL = 'a comparison of too few cases to show a fall cannot tell, and exits with 3';
const KEY = 'the key that an agent gets names its variant: agents behind one server must not share a session';
const CASES =
  'case_pass_rate allows for the number of cases, so a case stops a repeat later; its gates are recorded with the run';

const differences: readonly Difference[] = [
  { reading: 'compare three with three-worse', fact: 'code', today: () => 3, why: CANNOT_TELL },
  { reading: 'compare three with three-worse', fact: 'outcome', today: () => 'cannot-tell', why: CANNOT_TELL },
  {
    reading: 'eval three got worse against the baseline file',
    fact: 'gates',
    today: () => ['regression: cannot tell'],
    why: CANNOT_TELL,
  },
  ...['compare variants#good with variants#worse', 'compare plain with with-an-error'].map((reading) => ({
    reading,
    fact: 'changes',
    today: (was: readonly string[]) => was.map((line) => line.replace('too-few', 'open')),
    why: 'where nothing fell, too few cases leave the question open, and are no verdict of their own',
  })),
  {
    reading: 'resume killed-variants',
    fact: 'asked',
    today: () => ['good wrong 0: say no', 'worse wrong 0: say no'],
    why: KEY,
  },
  { reading: 'resume killed-auto', fact: 'units', today: () => '15 of 15', why: CASES },
  { reading: 'resume killed-auto', fact: 'gates', today: () => ['case_pass_rate: false'], why: CASES },
  {
    reading: 'resume killed-auto',
    fact: 'cases',
    today: ([always = '', never = '']: readonly string[]) => [always, `${never} · 7 end-of-case failed`],
    why: CASES,
  },
  {
    reading: 'resume killed-auto',
    fact: 'answers',
    today: (was: readonly string[]) => [...was, '- never 7: b'],
    why: CASES,
  },
  {
    reading: 'resume killed-auto',
    fact: 'asked',
    today: (was: readonly string[]) => [...was, '- never 7: say b'],
    why: CASES,
  },
  {
    reading: 'export the labels of judged',
    fact: 'rows',
    today: (was: readonly string[]) => was.map((row) => row.replace(/,prompt,/, ',drawn,prompt,').replace(/Z,/, 'Z,,')),
    why: 'labels may be drawn by verdict, which the new column says',
  },
];

const folder = mkdtempSync(join(tmpdir(), 'agent-criteria-old-files-'));
let facts: Readonly<Record<string, Facts>> = {};
let totals: Readonly<Record<string, Totals>> = {};
beforeAll(async () => {
  const file = join(folder, 'facts.json');
  await start('read-old-files.ts', [file]);
  ({ facts, totals } = JSON.parse(readFileSync(file, 'utf8')));
}, 300_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.each(versions)('the files of version %s', (version) => {
  const recorded: Facts = JSON.parse(
    readFileSync(join(import.meta.dirname, 'old-files', version, 'facts.json'), 'utf8'),
  );

  it('have a recorded result for each reading', () => {
    expect(Object.keys(recorded)).toEqual(readingsOf(version).map(({ name }) => name));
  });

  it.each(readingsOf(version).map(({ name }) => name))('give the same totals, verdicts and exit codes: %s', (name) => {
    const was = recorded[name] ?? {};
    const meant = differences.filter(({ reading }) => reading === name);
    const is = Object.fromEntries(meant.map(({ fact, today }) => [fact, today(was[fact] as never)]));
    // Entries of `differences` that no longer differ must be removed.
    for (const [fact, value] of Object.entries(is)) expect(value).not.toEqual(was[fact]);
    expect(facts[version]?.[name]).toEqual({ ...was, ...is });
  });
});

// Runs of an older version are resumed with this one, with the results that they would have had.
describe.each(['13f4ba6'])('the run folders of version %s', (version) => {
  const expected: Readonly<Record<string, Totals>> = JSON.parse(
    readFileSync(join(import.meta.dirname, 'run-folders', version, 'expected.json'), 'utf8'),
  );

  it('each have an expected result', () => {
    expect(Object.keys(expected)).toEqual(oldRuns.map(({ name }) => name));
  });

  it.each(Object.keys(expected))(
    'resume with equal totals, and call the agent only for missing results: %s',
    (name) => {
      expect(totals[name]).toEqual(expected[name]);
    },
  );

  it('are read under the current field names', async () => {
    const run = openRun(join(import.meta.dirname, 'run-folders', version, 'runs', 'finished'));
    const calls: RunCall[] = [];
    for await (const one of run.cases()) calls.push(...(one.calls ?? []));
    const [criterion] = run.sets[0]?.criteria ?? [];
    expect([criterion?.decides, criterion && 'gates' in criterion]).toEqual([true, false]);
    expect(calls[0]).toMatchObject({ caller: 'final_response_match_v2', target: 'scripted' });
    expect(calls.filter((call) => 'by' in call || 'to' in call)).toEqual([]);
  });
});

type Facts = Readonly<Record<string, Readonly<Record<string, unknown>>>>;
