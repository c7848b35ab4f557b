import { cpSync, existsSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { AgentFunction } from '@agent-criteria/core';
import type { Verdict } from '@agent-criteria/core/host';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { folderOf } from '../../../test/folder.ts';
import { runs } from '../../../test/runs.ts';
import { casesNamed, casesOf, planned, textCriterion } from './__fixtures__/echo-runs.ts';
import { type RunOptions, run } from './run.ts';
import { listRun } from './run-folder/list-runs.ts';
import { openRun } from './run-folder/open-run.ts';
import { scoreRun } from './score-run.ts';
import type { AutoRepeats } from './settings.ts';

/** Two failures or three passes decide. Repeats that could not be judged decide nothing. */
const auto: AutoRepeats = {
  casePassRate: 0.8,
  enough: (verdicts) => count(verdicts, 'failed') === 2 || count(verdicts, 'passed') === 3,
};
const MOST = 6;

function count(verdicts: readonly Verdict[], verdict: Verdict): number {
  return verdicts.filter((one) => one === verdict).length;
}

/** The results of a case's repeats, one letter each: (p)asses, (f)ails, throws an (e)rror, is (u)nscorable. */
type Script = string;
const VERDICTS: Readonly<Record<string, Verdict>> = { p: 'passed', f: 'failed', e: 'error', u: 'not-evaluated' };

/** Returns the verdicts of the repeats that the rule asks for, in order. */
function asked(script: Script): readonly Verdict[] {
  const seen: Verdict[] = [];
  for (const letter of script) {
    seen.push(VERDICTS[letter] ?? 'error');
    if (auto.enough(seen)) break;
  }
  return seen;
}

const nameOf = (index: number) => `case ${index}`;
const breath = () => new Promise((done) => setImmediate(done));

/** Sets up a run in which every case follows a script. `ran` lists what ran, as in `case 0#2`. */
function scripted(scripts: readonly Script[], pauses: readonly number[] = []) {
  const ran: string[] = [];
  let [open, most] = [0, 0];
  const agent: AgentFunction = async (_, { key }) => {
    ran.push(`${key.caseId}#${key.repeat}`);
    open += 1;
    most = Math.max(most, open);
    for (let left = pauses[ran.length % pauses.length] ?? 0; left > 0; left -= 1) await breath();
    open -= 1;
    const letter = scripts[Number(key.caseId.split(' ')[1])]?.[key.repeat] ?? 'e';
    if (letter === 'e') throw new Error('the agent is down');
    return letter;
  };
  const criterion = textCriterion(async (letter) => {
    if (letter === 'u') throw new Error('the judge is down');
    return letter === 'p' ? 1 : 0;
  });
  const sets = [planned(casesNamed(scripts.map((_, index) => nameOf(index))), { criterion })];
  return { ran, sets, mostOpen: () => most, options: { sets, agent, repeats: MOST, auto } satisfies RunOptions };
}

/** Returns the verdicts of each case's repeats. */
async function repeatsOf(folder: string): Promise<readonly (readonly Verdict[])[]> {
  return (await casesOf(openRun(folder))).map(({ result }) => result.units.map(({ verdict }) => verdict));
}

let folder: string;
beforeEach(() => {
  folder = join(folderOf({}), 'run');
});

const scripts: fc.Arbitrary<readonly Script[]> = fc.array(
  fc.array(fc.constantFrom('p', 'p', 'f', 'e', 'u'), { minLength: MOST, maxLength: MOST }).map((all) => all.join('')),
  { minLength: 1, maxLength: 4 },
);

describe('cases with automatic repeats', () => {
  it('stop after the repeat that decides them, or after the last one', async () => {
    const { options, ran } = scripted(['pppppp', 'ffffff', 'pfpfff', 'uuuppu', 'eeeeee']);
    const outcome = await run({ ...options, folder });
    expect(outcome).toMatchObject({ finished: true, problems: [] });
    expect((await repeatsOf(folder)).map((own) => own.length)).toEqual([3, 2, 4, 6, 6]);
    expect(ran).toHaveLength(21);
    const { info, plan } = openRun(folder);
    expect(plan).toMatchObject({ repeats: MOST, auto: { casePassRate: 0.8 } });
    expect(info).toMatchObject({ repeats: MOST, auto: { casePassRate: 0.8 }, units: { total: 21, finished: 21 } });
    expect(info.endedAt).not.toBeNull();
    expect(listRun(folder)).toMatchObject({ units: { total: 21, finished: 21 }, auto: { casePassRate: 0.8 } });
    // Stopping early does not make a case pass if it has no verdict.
    expect((await casesOf(openRun(folder))).map(({ result }) => result.verdict)).toEqual([
      'passed',
      'failed',
      'failed',
      'not-evaluated',
      'error',
    ]);
  });

  it('run the same repeats at any concurrency, within the session limit', async () => {
    await fc.assert(
      fc.asyncProperty(
        scripts,
        fc.array(fc.nat({ max: 3 }), { minLength: 1, maxLength: 5 }),
        fc.record({ agents: fc.integer({ min: 1, max: 4 }), scoring: fc.integer({ min: 1, max: 3 }) }),
        async (all, pauses, concurrency) => {
          const { options, ran, mostOpen } = scripted(all, pauses);
          expect(await run({ ...options, concurrency })).toMatchObject({ finished: true });
          const expected = all.flatMap((script, index) =>
            asked(script).map((_, repeat) => `${nameOf(index)}#${repeat}`),
          );
          expect([...ran].sort()).toEqual([...expected].sort());
          expect(mostOpen()).toBeLessThanOrEqual(concurrency.agents);
        },
      ),
      { numRuns: runs(300) },
    );
  });

  it('end with the same result even if the run was killed, and do not pass before they are decided', async () => {
    const base = folderOf({});
    let made = 0;
    const killed = fc.record({ after: fc.integer({ min: 1, max: 60 }), share: fc.constantFrom(1, 1, 0.9, 0.5) });
    await fc.assert(
      fc.asyncProperty(scripts, fc.array(killed, { minLength: 1, maxLength: 3 }), async (all, kills) => {
        let place = join(base, String(made++));
        for (const { after, share } of kills) {
          const left = join(base, String(made++));
          let events = 0;
          const leave = () => cpSync(place, left, { recursive: true, filter: (path) => basename(path) !== 'lock' });
          const { options } = scripted(all);
          await run({ ...options, folder: place, onEvent: () => void (events++ === after && leave()) });
          if (!existsSync(left)) leave();
          const scores = join(left, 'scorings', '1', 'scores.jsonl');
          if (existsSync(scores)) truncateSync(scores, Math.floor(readFileSync(scores).length * share));
          place = left;
          const { info } = openRun(place);
          for (const [index, { result }] of (await casesOf(openRun(place))).entries()) {
            const whole = asked(all[index] ?? '');
            if (result.criteria.length > 0) expect(result.units.map(({ verdict }) => verdict)).toEqual(whole);
            else if (result.units.length < whole.length) expect(result.verdict).toBe('error');
            if (result.units.length === 0) expect(info.endedAt).toBeNull();
          }
        }
        const { options } = scripted(all);
        expect(await run({ ...options, folder: place })).toMatchObject({ finished: true });
        expect(await repeatsOf(place)).toEqual(all.map(asked));
        const { units } = openRun(place).info;
        const total = all.reduce((sum, script) => sum + asked(script).length, 0);
        expect(units).toEqual({ total, finished: total });
      }),
      { numRuns: runs(80) },
    );
  }, 120_000);

  it('continue from the stored repeats after an interruption', async () => {
    const first = scripted(['ppuppp', 'ppuppp']);
    const drain = new AbortController();
    const onEvent: RunOptions['onEvent'] = ({ type }) =>
      type === 'unit-scored' && first.ran.length > 2 && drain.abort();
    const stopped = await run({ ...first.options, folder, drain: drain.signal, onEvent, concurrency: { agents: 1 } });
    expect(stopped).toMatchObject({ finished: false });
    expect(openRun(folder).info.endedAt).toBeNull();
    const next = scripted(['pppppp', 'pppppp']);
    expect(await run({ ...next.options, folder })).toMatchObject({ finished: true, summary: { exitCode: 0 } });
    expect([...first.ran, ...next.ran].sort()).toEqual(
      ['case 0#0', 'case 0#1', 'case 0#2', 'case 1#0', 'case 1#1', 'case 1#2'].sort(),
    );
  });

  it('are decided again, by their repeats in order, when errors are rerun', async () => {
    await run({ ...scripted(['eppfff']).options, folder });
    expect(await repeatsOf(folder)).toEqual([['error', 'passed', 'passed', 'failed', 'failed']]);
    const { options, ran } = scripted(['pppfff']);
    expect(await run({ ...options, folder })).toMatchObject({ finished: true, summary: { exitCode: 0 } });
    expect(ran).toEqual(['case 0#0']);
    expect(await repeatsOf(folder)).toEqual([['passed', 'passed', 'passed']]);
    expect(openRun(folder).info.units).toEqual({ total: 3, finished: 3 });
  });

  it('do not run again once finished, unless everything is rerun', async () => {
    await run({ ...scripted(['pppppp', 'ffffff']).options, folder });
    const idle = scripted(['eeeeee', 'eeeeee']);
    expect(await run({ ...idle.options, folder })).toMatchObject({ finished: true, summary: { exitCode: 1 } });
    expect(idle.ran).toEqual([]);
    const again = scripted(['pfpppp', 'pppppp']);
    await run({ ...again.options, folder, rerun: 'all' });
    expect((await repeatsOf(folder)).map((own) => own.length)).toEqual([4, 3]);
  });

  it('keep their number of repeats when scored again', async () => {
    const { options, sets } = scripted(['pppppp', 'fpfppp']);
    await run({ ...options, folder });
    const lenient = planned(casesNamed([nameOf(0), nameOf(1)]), { criterion: textCriterion(() => 1) });
    const outcome = await scoreRun({ folder, sets: [lenient] });
    expect(outcome).toMatchObject({ finished: true, scoring: 2, summary: { verdicts: { passed: 2 } } });
    expect((await repeatsOf(folder)).map((own) => own.length)).toEqual([3, 3]);
    expect(openRun(folder).info.units).toEqual({ total: 6, finished: 6 });
    expect(await scoreRun({ folder, sets })).toMatchObject({ scoring: 3, summary: { verdicts: { failed: 1 } } });
  });

  it('are errors if scored again while still undecided', async () => {
    const { options, sets } = scripted(['pppppp', 'pufpfp']);
    const drain = new AbortController();
    const onEvent: RunOptions['onEvent'] = ({ type }) => type === 'case-finished' && drain.abort();
    await run({ ...options, folder, drain: drain.signal, onEvent, concurrency: { agents: 1, scoring: 1 } });
    const outcome = await scoreRun({ folder, sets });
    expect(outcome).toMatchObject({ finished: false, summary: { exitCode: 3 } });
    expect(openRun(folder).summary.verdicts).toMatchObject({ passed: 1, error: 1 });
  });

  it('continue if their scores were changed and no longer decide them', async () => {
    await run({ ...scripted(['pppppp']).options, folder });
    const file = join(folder, 'scorings', '1', 'scores.jsonl');
    const [first = '', ...others] = readFileSync(file, 'utf8').split('\n');
    writeFileSync(file, [first.replace('"value":1', '"value":0'), ...others].join('\n'));
    const { options, ran } = scripted(['fppppp']);
    const outcome = await run({ ...options, folder });
    expect(outcome.warnings[0]?.message).toContain(
      'stopped after 3 repeats, but its saved scores do not decide it: it goes on',
    );
    expect(ran).toEqual(['case 0#3']);
    expect(await repeatsOf(folder)).toEqual([['failed', 'passed', 'passed', 'passed']]);
    expect(outcome.summary.exitCode).toBe(1);
  });

  it('stop independently for each variant', async () => {
    const { sets } = scripted(['pppppp']);
    const answers = (letter: string) => (() => letter) satisfies AgentFunction;
    const outcome = await run({ sets, variants: { p: answers('p'), f: answers('f') }, repeats: MOST, auto, folder });
    expect(outcome).toMatchObject({ finished: true });
    expect((await repeatsOf(folder)).map((own) => own.length)).toEqual([3, 2]);
    expect((await scoreRun({ folder, sets })).finished).toBe(true);
    expect(openRun(folder).info.units).toEqual({ total: 5, finished: 5 });
  });

  it('require scoring, and the pass rate that the run started with', async () => {
    const { options } = scripted(['pppppp']);
    await run({ ...options, folder });
    await expect(run({ ...options, folder, auto: { ...auto, casePassRate: 0.9 } })).rejects.toThrow(
      'the pass rate at which cases stop was 0.8 and is 0.9',
    );
    await expect(run({ ...options, folder, auto: undefined })).rejects.toThrow('was 0.8 and is null');
    await expect(run({ ...options, scoring: false })).rejects.toThrow('only where the run is scored');
  });
});
