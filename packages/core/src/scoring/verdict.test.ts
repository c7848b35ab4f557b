import { describe, expect, it } from 'vitest';
import type { Score } from '../contracts/score.ts';
import { caseBounds } from './bounds.ts';
import { type CriterionVerdict, caseVerdict, criterionVerdict, exitCode } from './verdict.ts';

const higher = { min: 0, max: 1, better: 'higher' } as const;
const unjudged: Score = { value: null, missing: 'could-not-judge', reason: 'down' };
const nothing: Score = { value: null, missing: 'not-applicable', reason: 'nothing expected' };
const values = (...numbers: number[]): Score[] => numbers.map((value) => ({ value }));

function verdict(
  scores: readonly Score[],
  threshold: number,
  more: { minCoverage?: number; skip?: boolean; compat?: 'adk' } = {},
): CriterionVerdict {
  const rule = {
    gates: true,
    threshold,
    minCoverage: more.minCoverage ?? 1,
    whenNotApplicable: more.skip ? ('skip' as const) : ('not-evaluated' as const),
    criterion: { range: higher },
  };
  const compat = more.compat ?? null;
  return criterionVerdict(rule, caseBounds({ range: higher }, scores, compat), scores.length, compat);
}

describe('the verdict of a criterion', () => {
  it('passes at the threshold and above', () => {
    expect(verdict(values(0.5), 0.5)).toBe('passed');
    expect(verdict(values(0.4999), 0.5)).toBe('failed');
  });

  it('passes 0.7, 0.7, 0.7 at 0.7, where ADK does not', () => {
    expect(verdict(values(0.7, 0.7, 0.7), 0.7)).toBe('passed');
    expect(verdict(values(0.7, 0.7, 0.7), 0.7, { compat: 'adk' })).toBe('failed');
  });

  it('is not evaluated while a missing score could change it', () => {
    expect(verdict([...values(1), unjudged], 0.8)).toBe('not-evaluated');
    expect(verdict([...values(1), unjudged], 0.5)).toBe('not-evaluated'); // it would pass, but not all was scored
    expect(verdict([...values(1), unjudged], 0.5, { minCoverage: 0.5 })).toBe('passed');
    expect(verdict([...values(1), unjudged], 0.6, { minCoverage: 0.5 })).toBe('not-evaluated');
    expect(verdict([unjudged], 0, { minCoverage: 0.01 })).toBe('not-evaluated'); // nothing has a number
  });

  it('fails where nothing could save it', () => {
    expect(verdict([...values(0), unjudged], 0.8)).toBe('failed');
    expect(verdict([...values(0.2, 0.2), unjudged], 0.5)).toBe('failed');
  });

  it('leaves what is not applicable out, and says nothing of nothing', () => {
    expect(verdict([...values(1), nothing], 1)).toBe('passed');
    expect(verdict([nothing, nothing], 0)).toBe('not-evaluated');
    expect(verdict([nothing, nothing], 0, { skip: true })).toBe('skipped');
    expect(verdict([nothing, unjudged], 0, { skip: true })).toBe('not-evaluated');
    expect(verdict([], 0, { skip: true })).toBe('not-evaluated');
  });

  it('lets nothing pass when pooled turns lost their parts', () => {
    const rule = {
      gates: true,
      threshold: 0,
      minCoverage: 0.01,
      whenNotApplicable: 'not-evaluated',
      criterion: { range: higher },
    } as const;
    const turn: Score = { parts: [{ id: 'a', kind: 'rubric', value: 1 }] };
    const bounds = caseBounds({ range: higher, aggregate: 'parts' }, [turn, turn, unjudged], null);
    expect(bounds?.shown).toBe(1);
    expect(criterionVerdict(rule, bounds, 3, null)).toBe('not-evaluated');
  });

  it('weighs coverage exactly as the mean', () => {
    const half: Score = {
      parts: [
        { id: 'a', kind: 'rubric', value: 1 },
        { ...unjudged, id: 'b', kind: 'rubric' },
      ],
    };
    expect(caseBounds({ range: higher }, [half, ...values(1)], null)).toMatchObject({
      shown: 1,
      worst: 0.75,
      best: 1,
      coverage: 0.75,
    });
  });

  it('takes a function that leaves its range, throws or gives no number for could-not-judge', () => {
    for (const aggregate of [
      () => 2,
      () => Number.NaN,
      () => {
        throw new Error('no');
      },
    ]) {
      expect(caseBounds({ range: higher, aggregate }, values(1, 1), null)).toMatchObject({
        shown: null,
        worst: 0,
        best: 1,
      });
    }
  });
});

describe('the verdict of a case', () => {
  const table: readonly [boolean, CriterionVerdict[], string][] = [
    [true, ['failed'], 'error'],
    [false, ['passed', 'failed', 'not-evaluated'], 'failed'],
    [false, ['passed', 'not-evaluated'], 'not-evaluated'],
    [false, ['passed', 'informational', 'skipped'], 'passed'],
    [false, ['informational', 'informational'], 'informational'],
    [false, ['informational', 'skipped'], 'not-evaluated'],
    [false, ['skipped', 'skipped'], 'not-evaluated'],
    [false, [], 'not-evaluated'],
  ];
  it.each(table)('errored %s with %j is %s', (errored, criteria, expected) => {
    expect(caseVerdict(errored, criteria)).toBe(expected);
  });

  it('gives a run its exit code', () => {
    expect(exitCode(['passed', 'passed'])).toBe(0);
    expect(exitCode(['informational'])).toBe(0);
    expect(exitCode(['passed', 'error', 'failed'])).toBe(1);
    expect(exitCode(['passed', 'error'])).toBe(3);
    expect(exitCode(['passed', 'not-evaluated'])).toBe(3);
    expect(exitCode([])).toBe(3);
  });
});
