import { summarise, type Verdict } from '@agent-criteria/core/host';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../test/runs.ts';
import { shownOutcome } from '../text/shown-outcome.ts';
import { contradictionIn } from './known-outcome.ts';
import { type GateRecord, type OutcomeRecord, outcomeOf, withProblems } from './outcome-record.ts';

const verdicts: readonly Verdict[] = ['passed', 'failed', 'not-evaluated', 'error', 'informational'];
const summary = fc.array(fc.constantFrom(...verdicts), { maxLength: 5 }).map((all) => {
  return summarise(all.map((verdict) => ({ verdict })));
});
const gate = fc.record({
  name: fc.constant('gate'),
  text: fc.constant(''),
  holds: fc.constantFrom(true, false, null),
});
const gates = fc.array(gate, { maxLength: 4 });
const problems = fc.array(fc.constant('something broke'), { maxLength: 2 });
const all: GateRecord = { name: 'gate', text: '', holds: true };

describe('the exit code of an outcome', () => {
  it('is never improved by gates unless they decide, and is never 0 if there is another problem', () => {
    fc.assert(
      fc.property(summary, gates, problems, (cases, asked, wrong) => {
        const { exitCode, decided } = outcomeOf({ summary: cases, gates: asked, problems: wrong });
        expect(decided).toBe(false);
        if (cases.exitCode !== 0) expect(exitCode).toBe(cases.exitCode);
        else if (asked.some(({ holds }) => holds === false)) expect(exitCode).toBe(1);
        else expect(exitCode).toBe(asked.some(({ holds }) => holds === null) || wrong.length > 0 ? 3 : 0);
      }),
      { numRuns: runs(1000) },
    );
  });

  it('depends only on the gates if they decide', () => {
    const failed = summarise([{ verdict: 'failed' }]);
    const decide = true;
    expect(outcomeOf({ summary: failed, gates: [all], decide })).toMatchObject({ exitCode: 0, decided: true });
    expect(outcomeOf({ summary: failed, gates: [all], decide, problems: ['lost'] })).toMatchObject({ exitCode: 3 });
    expect(outcomeOf({ summary: failed, gates: [], decide })).toMatchObject({ exitCode: 1, decided: false });
    const passed = summarise([{ verdict: 'passed' }]);
    expect(outcomeOf({ summary: passed, gates: [all, { ...all, holds: null }], decide }).exitCode).toBe(3);
  });

  it('changes when problems are added if it was 0, and otherwise stays the same', () => {
    fc.assert(
      fc.property(summary, gates, fc.boolean(), (cases, asked, decide) => {
        const before = outcomeOf({ summary: cases, gates: asked, decide });
        expect(withProblems(before, ['lost']).exitCode).toBe(before.exitCode === 0 ? 3 : before.exitCode);
      }),
      { numRuns: runs(1000) },
    );
  });
});

it('a headline signals success if and only if the exit code is 0, whatever the state of the outcome', () => {
  fc.assert(
    fc.property(summary, gates, fc.boolean(), problems, (cases, asked, decide, wrong) => {
      const record = outcomeOf({ summary: cases, gates: asked, decide, problems: wrong });
      const shown = shownOutcome({ summary: cases, outcome: { state: 'recorded', ...record }, info: {} });
      expect(shown.exitCode).toBe(record.exitCode);
      expect(['passed', 'informational'].includes(shown.verdict)).toBe(record.exitCode === 0);
      expect(shown.verdict === 'failed').toBe(record.exitCode === 1);
      for (const outcome of [
        { state: 'missing', gates: asked },
        { state: 'changed', problem: 'its file is damaged' },
      ] as const) {
        const unknown = shownOutcome({ summary: cases, outcome, info: {} });
        expect(['passed', 'informational', 'not-evaluated']).not.toContain(unknown.verdict);
        expect(unknown.exitCode).not.toBe(0);
        expect(unknown.problems).toHaveLength(1);
      }
    }),
    { numRuns: runs(1000) },
  );
});

describe('a recorded outcome', () => {
  it('is consistent with the scores that it was derived from', () => {
    fc.assert(
      fc.property(summary, gates, fc.boolean(), problems, (cases, asked, decide, wrong) => {
        const record = outcomeOf({ summary: cases, gates: asked, decide, problems: wrong });
        expect(contradictionIn(record, cases)).toBeNull();
      }),
      { numRuns: runs(1000) },
    );
  });

  it("is rejected if its verdicts, its exit code or a gate's result was changed", () => {
    const cases = summarise([{ verdict: 'passed' }, { verdict: 'passed' }]);
    const record = outcomeOf({ summary: cases, gates: [{ ...all, holds: false }] });
    const changed: readonly OutcomeRecord[] = [
      { ...record, exitCode: 0 },
      { ...record, gates: [all] },
      { ...record, gates: [] },
      { ...record, decided: true, gates: [] },
      { ...record, summary: summarise([{ verdict: 'passed' }]) },
    ];
    for (const one of changed) expect(contradictionIn(one, cases)).not.toBeNull();
    expect(contradictionIn(record, summarise([{ verdict: 'passed' }, { verdict: 'failed' }]))).toBe(
      'the recorded outcome has other verdicts than the scores of this run',
    );
  });
});
