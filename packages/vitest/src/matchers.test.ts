// Long: starts Vitest.
import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { runVitest, type VitestRun } from './__fixtures__/run-vitest.ts';

const options = { timeout: 120_000 };

describe.each([
  ['in separate workers', ['--isolate', '--maxWorkers=2']],
  ['in one worker thread for all files', ['--pool=threads']],
])('matchers, %s', options, (_name, args) => {
  let run: VitestRun;
  beforeAll(async () => {
    run = await runVitest(['matchers', 'more-matchers', 'unawaited'], args);
  }, 120_000);
  const failure = (title: string): string =>
    run
      .tests('matchers')
      .filter((test) => test.title === title)
      .flatMap(({ failureMessages }) => failureMessages)[0] ?? '';

  it('pass and fail as expected', () => {
    const tests = [...run.tests('matchers'), ...run.tests('more-matchers')];
    const wrong = tests.filter(({ fullName, status }) => (status === 'passed') === fullName.startsWith('red'));
    expect(wrong.map(({ fullName, failureMessages }) => [fullName, failureMessages])).toEqual([]);
    expect(tests).toHaveLength(15);
  });

  it('print the same differences as the command-line tool', () => {
    expect(failure('differs')).toContain(`    calls     - switch({"device":"lamp","on":false})
              + switch({"device":"lamp","on":true})`);
    expect(failure('not')).toContain('expected tool_trajectory_avg_score not to pass, but it scored 1');
  });

  it.each([
    ['not judged', 'polite gave no verdict: it could not be judged: the criterion threw: the judge is asleep'],
    ['not not judged', 'polite gave no verdict: it could not be judged: the criterion threw: the judge is asleep'],
    ['nothing expected', 'response_match_score compares with a reference'],
    ['no simulated user', 'patient scores simulated users, but this conversation has no scenario'],
    ['unknown', 'did you mean "response_match_score"?'],
    ['no threshold', 'polite needs a threshold between 0 and 1'],
    ['no turn', 'there is no turn to judge'],
    ['other turns', 'the run has 1 turn, but 2 are expected'],
  ])('give the reason if there is no verdict: %s', (title, why) => {
    expect(failure(title)).toContain(why);
  });

  describe('a matcher that is not awaited', () => {
    it('fails only its own test', () => {
      const tests = run.tests('unawaited');
      const wrong = tests.filter(({ fullName, status }) => (status === 'passed') === /red/.test(fullName));
      expect(wrong.map(({ fullName, failureMessages }) => [fullName, failureMessages])).toEqual([]);
      expect(tests).toHaveLength(20);
      expect(run.output).not.toContain('Unhandled');
    });

    it.each([
      ['wrong', 'await expect(…).toMatchResponse(…)'],
      ['right', 'await expect(…).toMatchResponse(…)'],
      ['not', 'await expect(…).not.toMatchTrajectory(…)'],
      ['soft', 'await expect.soft(…).toMatchResponse(…)'],
      ['void, in an asynchronous test', 'await expect(…).toPassCriterion(…)'],
      ['two', 'await expect(…).toMatchTrajectory(…)'],
      ['red: forgotten', 'await expect(…).toMatchResponse(…)'],
    ])('fails with its location and the code that would await it: %s', (title, advice) => {
      const failed = run.tests('unawaited').find((test) => test.title === title && test.status === 'failed');
      const text = failed?.failureMessages.join('\n') ?? '';
      expect(text).toContain('was not awaited, so this test never saw its result. Write: ');
      expect(text).toContain(advice);
      expect(text).toMatch(/unawaited\.fixture\.ts:\d+:\d+/);
    });
  });
});

it('the example in the README runs', options, async () => {
  const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
  const [, example = ''] =
    /^```ts title="lamp\.test\.ts"\n(.*?)^```$/ms.exec(readFileSync(here('../README.md'), 'utf8')) ?? [];
  const folder = mkdtempSync(join(tmpdir(), 'agent-criteria-vitest-'));
  writeFileSync(join(folder, 'lamp.fixture.ts'), example);
  cpSync(here('__fixtures__/lamps'), join(folder, 'lamps'), { recursive: true });
  const run = await runVitest(['lamp'], ['--root', folder]);
  expect(run.exitCode, run.output).toBe(0);
  expect(run.tests('lamp').map(({ status }) => status)).toEqual(Array(4).fill('passed'));
});
