import { shownOutcome } from '@agent-criteria/results/text';
import { listRuns } from '@agent-criteria/runner';
import { beforeAll, describe, expect, it } from 'vitest';
import { runVitest, type VitestRun } from './__fixtures__/run-vitest.ts';

describe('gates of the config', { timeout: 120_000 }, () => {
  let run: VitestRun;
  beforeAll(async () => {
    run = await runVitest(['gates'], ['--sequence.shuffle.tests']);
  }, 120_000);

  const states = (group: string, of = run) =>
    of
      .tests('gates')
      .filter(({ fullName }) => fullName.startsWith(group))
      .map(({ title, status }) => `${title}: ${status}`);
  const failure = (name: string, of = run) =>
    of.tests('gates').find(({ fullName }) => fullName === name)?.failureMessages[0] ?? '';

  it('are tests of their own after the cases, whose verdicts they leave as they are', () => {
    expect(states('asked')).toEqual([
      'on: passed',
      'off: failed',
      'on twice: passed',
      'gate pass_rate: passed',
      'gate means.tool_trajectory_avg_score: failed',
    ]);
    expect(failure('asked gate means.tool_trajectory_avg_score')).toMatch(
      /^Error: gate means\.tool_trajectory_avg_score does not hold: the mean of tool_trajectory_avg_score is 67% over 3 cases; the gate requires at least 90%/,
    );
    expect(run.output).toContain(
      'the pass rate is 67% over 3 cases, and the lower end of its 95% confidence interval is 13%',
    );
  });

  it('fail where one cannot tell', () => {
    expect(failure('unsure gate pass_rate')).toContain('gate pass_rate cannot tell: the pass rate is 67% over 3 cases');
  });

  it('decide alone where the config says so: a case that failed is neither passed nor failed, and says why', () => {
    expect(states('deciding')).toEqual(['on: passed', 'off: skipped', 'on twice: passed', 'gate pass_rate: passed']);
    expect(run.output).toContain('failed; the gates decide');
  });

  it('decide over every case that did not pass, not the first alone', () => {
    expect(states('failing')).toEqual(['on: skipped', 'off: skipped', 'on twice: skipped', 'gate pass_rate: passed']);
  });

  it('leave nothing unseen: where a gate that decides was not asked after all, the tests fail', () => {
    expect(states('cut short')).toEqual([
      'on: skipped',
      'off: skipped',
      'on twice: skipped',
      'gate pass_rate: skipped',
    ]);
    expect(run.output).toContain(
      '2 cases that did not pass were left to the gates, but not everything ran that they need: gate pass_rate could not be asked',
    );
  });

  it('hide no criterion that could judge no case: the tests fail where no gate asks about it', () => {
    expect(states('unasked')).toEqual([
      'on: skipped',
      'off: skipped',
      'on twice: skipped',
      'gate means.tool_trajectory_avg_score: passed',
    ]);
    expect(run.output).toContain('gate decide cannot tell: no case could be judged by judged (');
    expect(run.exitCode).not.toBe(0);
  });

  it('hold for each of several agents, which may run side by side', () => {
    expect(states('beside of variants gate')).toEqual([
      'gate pass_rate (lamp): passed',
      'gate pass_rate (dark): failed',
    ]);
  });

  it('on regressions do not apply where there is no earlier run, and it says so', () => {
    expect(states('against').filter((state) => state.startsWith('gate'))).toEqual(['gate pass_rate: passed']);
    expect(run.output.replace(/\s+/g, ' ')).toContain('so the gate "regression" does not apply to this run');
  });

  it('cannot tell where a case came to no result', () => {
    expect(failure('stuck gate pass_rate')).toContain('gate pass_rate cannot tell: 3 of 3 cases came to no result');
  });

  const kept = (of = run) =>
    listRuns(of.runs).map(({ summary, outcome }) => {
      const { headline, gates, notes } = shownOutcome({ summary: summary!, outcome: outcome!, info: {} });
      return { headline, holds: gates.map(({ holds }) => holds), notes };
    });

  it('are in the outcome of a run that is kept, which is that of the tests', () => {
    expect(kept().toSorted((a, b) => (a.headline < b.headline ? -1 : 1))).toEqual([
      {
        headline: '1 of 3 cases failed; the gate holds: exit 0, decided by the gates',
        holds: [true],
        notes: [],
      },
      {
        headline: '2 passed, 1 failed of 3 cases; 1 of 2 gates does not hold: exit 1',
        holds: [true, false],
        notes: [],
      },
    ]);
  });

  it('say nothing where a filter has left cases out, and decide nothing then', async () => {
    const some = await runVitest(['gates'], ['-t', 'off|gate pass_rate']);
    expect(states('deciding', some)).toEqual([
      'on: skipped',
      'off: failed',
      'on twice: skipped',
      'gate pass_rate: skipped',
    ]);
    expect(some.output).toContain('a gate is about the whole run, and 1 of 3 cases ran');
    const unasked = 'Gates not asked: the code that ran these cases goes by their verdicts alone.';
    expect(kept(some)).toEqual([
      { headline: '1 failed of 1 case', holds: [], notes: [unasked] },
      { headline: '1 failed of 1 case', holds: [], notes: [unasked] },
    ]);
  });
});
