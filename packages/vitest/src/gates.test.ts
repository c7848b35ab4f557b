// Long: starts Vitest.
import { shownOutcome } from '@agent-criteria/results/text';
import { listRuns } from '@agent-criteria/runner';
import { beforeAll, describe, expect, it } from 'vitest';
import { runVitest, type VitestRun } from './__fixtures__/run-vitest.ts';

describe('describeEvalSet() with gates', { timeout: 120_000 }, () => {
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

  it('creates a test for each gate after those of the cases, whose verdicts stay the same', () => {
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

  it('fails the test of an undecided gate', () => {
    expect(failure('unsure gate pass_rate')).toContain('gate pass_rate cannot tell: the pass rate is 67% over 3 cases');
  });

  it('skips the tests of failed cases, giving the reason, if gates alone decide', () => {
    expect(states('deciding')).toEqual(['on: passed', 'off: skipped', 'on twice: passed', 'gate pass_rate: passed']);
    expect(run.output).toContain('failed; the gates decide');
  });

  it('skips the test of every case that did not pass if gates alone decide', () => {
    expect(states('failing')).toEqual(['on: skipped', 'off: skipped', 'on twice: skipped', 'gate pass_rate: passed']);
  });

  it('fails if a deciding gate could not be evaluated', () => {
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

  it('fails if a criterion could not judge any case and no gate covers it', () => {
    expect(states('unasked')).toEqual([
      'on: skipped',
      'off: skipped',
      'on twice: skipped',
      'gate means.tool_trajectory_avg_score: passed',
    ]);
    expect(run.output).toContain('gate decide cannot tell: no case could be judged by judged (');
    expect(run.exitCode).not.toBe(0);
  });

  it('evaluates gates for each variant, even if tests are concurrent', () => {
    expect(states('beside of variants gate')).toEqual([
      'gate pass_rate (lamp): passed',
      'gate pass_rate (dark): failed',
    ]);
  });

  it('prints that a regression gate does not apply if there is no earlier run', () => {
    expect(states('against').filter((state) => state.startsWith('gate'))).toEqual(['gate pass_rate: passed']);
    expect(run.output.replace(/\s+/g, ' ')).toContain('so the gate "regression" does not apply to this run');
  });

  it('reports gates as undecided if a case has no result', () => {
    expect(failure('stuck gate pass_rate')).toContain('gate pass_rate cannot tell: 3 of 3 cases came to no result');
  });

  const kept = (of = run) =>
    listRuns(of.runs).map(({ summary, outcome }) => {
      const { headline, gates, notes } = shownOutcome({ summary: summary!, outcome: outcome!, info: {} });
      return { headline, holds: gates.map(({ holds }) => holds), notes };
    });

  it('saves the gate results in the outcome of the run', () => {
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

  it('skips gates if a filter excludes cases, and lets each case decide', async () => {
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
