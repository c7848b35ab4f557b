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

  it('plans all work for an unknown case, starting with ticket 1', () => {
    const first = { isInferred: false, isScored: false, ticket: 1, scoreTicket: 1 };
    expect(planCase([undefined, undefined], options)).toEqual([first, first]);
  });

  const again = { ticket: 5, scoreTicket: 3 };
  it.each([
    ['the input hash has changed', done(), { seen: 'other' }, { isInferred: false, isScored: false }],
    ['the inference failed', done({ failed: true, verdict: 'error' }), {}, { isInferred: false, isScored: false }],
    ['a score could not be judged', done({ unjudged: true }), {}, { isInferred: true, isScored: false }],
    ['everything is rerun', done(), { rerun: 'all' }, { isInferred: false, isScored: false }],
    ['failures are rerun', done({ verdict: 'failed' }), { rerun: 'failed' }, { isInferred: false, isScored: false }],
    ['errors are rerun', done({ verdict: 'error' }), { rerun: 'errored' }, { isInferred: false, isScored: false }],
  ] as const)('plans to repeat only what is necessary if %s', (_what, state, more, plan) => {
    expect(planCase([state], { ...options, ...more })).toEqual([{ ...plan, ...again }]);
  });

  it('returns the verdict of cases that are not to be rerun', () => {
    expect(planCase([done()], { ...options, rerun: 'failed' })).toBe('passed');
    expect(planCase([done({ verdict: 'failed' })], { ...options, rerun: 'errored' })).toBe('failed');
  });

  it('plans to score recorded inferences without an agent, including those that ended in an error', () => {
    const state = { ...done({ failed: true }), scored: null };
    expect(planCase([state], { ...options, hasAgent: false })).toEqual([
      { isInferred: true, isScored: false, ticket: 5, scoreTicket: 1 },
    ]);
  });
});
