import type { Score } from '@agent-criteria/core';
import type { CriterionResult } from '@agent-criteria/core/host';
import { describe, expect, it } from 'vitest';
import { isSaidAbove, reasonOf } from './reason-of.ts';

const result = (reason: string | undefined, ...scores: Score[]): CriterionResult => ({
  name: 'match',
  verdict: 'failed',
  score: 0.2,
  threshold: 0.8,
  coverage: 1,
  counts: { scored: scores.length, couldNotJudge: 0, notApplicable: 0 },
  reason,
  warnings: [],
  turns: scores.map((score, turn) => ({ repeat: 0, turn, value: 0.2, reached: false, score })),
});

describe('reasonOf() and isSaidAbove()', () => {
  it('show the reason for a single turn at the criterion', () => {
    const one = result('0.2 is below the threshold 0.8: $& is wrong', { value: 0.2, reason: '$& is wrong' });
    // The score and the threshold are shown separately.
    expect(reasonOf(one)).toBe('$& is wrong');
    expect(isSaidAbove(one)).toBe(true);
  });

  it('leave the reasons to the turns if there are several', () => {
    const two = result(
      '0.2 is below the threshold 0.8: $& is wrong',
      { value: 1 },
      { value: 0.2, reason: '$& is wrong' },
    );
    expect(reasonOf(two)).toBeUndefined();
    expect(isSaidAbove(two)).toBe(false);
  });

  it('keep the part of the reason that no turn contains', () => {
    const reason = '2 of 3 turns could not be judged: The judge is away';
    const away: Score = { value: null, missing: 'could-not-judge', reason: 'The judge is away' };
    expect(reasonOf(result(reason, away, away, { value: 1 }))).toBe('2 of 3 turns could not be judged');

    expect(reasonOf(result('repeat 1 has no turn to score'))).toBe('repeat 1 has no turn to score');
    expect(isSaidAbove(result('0.2 is below', { value: 0.2, reason: 'Another' }))).toBe(false);
    expect(isSaidAbove(result(undefined, { value: 1, reason: 'Well said' }))).toBe(false);
  });
});
