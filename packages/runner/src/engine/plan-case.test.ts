import { describe, expect, it } from 'vitest';
import type { UnitState } from '../journal/journal.ts';
import { planCase } from './plan-case.ts';

const done = (
  more: Partial<{ failed: boolean; unjudged: boolean; verdict: 'passed' | 'failed' | 'error' }> = {},
): UnitState => {
  const { failed = false, unjudged = false, verdict = 'passed' } = more;
  return {
    key: { setId: 's', caseId: 'c', repeat: 0 },
    highest: 4,
    inferred: { ticket: 4, seen: 'now', failed },
    scored: { ticket: 2, of: 4, unjudged, case: { of: [2], verdict } },
  };
};
const options = { seen: 'now', hasAgent: true, rerun: undefined };

describe('planCase()', () => {
  it('returns the verdict of a finished case', () => {
    expect(planCase([done()], options)).toBe('passed');
    expect(planCase([done({ verdict: 'failed' })], options)).toBe('failed');
  });

  it('plans all work with the first tickets for an unknown case', () => {
    const first = { isInferred: false, isScored: false, ticket: 1, scoreTicket: 1 };
    expect(planCase([undefined, undefined], options)).toEqual([first, first]);
  });

  const again = { ticket: 5, scoreTicket: 3 };
  it.each([
    ['the agent saw something else', done(), { seen: 'other' }, { isInferred: false, isScored: false }],
    ['the inference failed', done({ failed: true, verdict: 'error' }), {}, { isInferred: false, isScored: false }],
    ['a score could not be judged', done({ unjudged: true }), {}, { isInferred: true, isScored: false }],
    ['all is to be done again', done(), { rerun: 'all' }, { isInferred: false, isScored: false }],
    ['what failed is', done({ verdict: 'failed' }), { rerun: 'failed' }, { isInferred: false, isScored: false }],
    ['what broke is', done({ verdict: 'error' }), { rerun: 'errored' }, { isInferred: false, isScored: false }],
  ] as const)('is what has to be done again where %s', (_what, state, more, plan) => {
    expect(planCase([state], { ...options, ...more })).toEqual([{ ...plan, ...again }]);
  });

  it('keeps cases that are not rerun', () => {
    expect(planCase([done()], { ...options, rerun: 'failed' })).toBe('passed');
    expect(planCase([done({ verdict: 'failed' })], { ...options, rerun: 'errored' })).toBe('failed');
  });

  it('plans scoring of recorded inferences without an agent, including errors', () => {
    const state = { ...done({ failed: true }), scored: null };
    expect(planCase([state], { ...options, hasAgent: false })).toEqual([
      { isInferred: true, isScored: false, ticket: 5, scoreTicket: 1 },
    ]);
  });
});
