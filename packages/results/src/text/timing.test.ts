import { expect, it } from 'vitest';
import { type RunTiming, timing } from './timing.ts';

const at = (given: Partial<RunTiming>): RunTiming => ({
  done: 0,
  doneBefore: 0,
  total: 100,
  running: 4,
  startedAt: 0,
  ...given,
});

it('estimates the time to go by what was done since the run was started', () => {
  expect(timing(at({ done: 20 }), 10_000, null)).toEqual(['10 s so far', 'about 40 s to go']);
  expect(timing(at({ done: 60, doneBefore: 50 }), 10_000, null)).toEqual(['10 s so far', 'about 40 s to go']);
  expect(timing(at({ done: 20, running: null }), 10_000, null)).toHaveLength(2);
});

it('does not guess before anything is done, for the last ones, or for a cancelled run', () => {
  expect(timing(at({}), 10_000, null)).toEqual(['10 s so far']);
  expect(timing(at({ done: 98, running: 2 }), 10_000, null)).toEqual(['10 s so far', 'the last 2 are running']);
  expect(timing(at({ done: 99, running: 1 }), 10_000, null)).toEqual(['10 s so far', 'the last one is running']);
  expect(timing(at({ done: 20, isCancelled: true }), 10_000, null)).toEqual(['10 s so far']);
  expect(timing(at({ done: 100, running: 0 }), 10_000, null)).toEqual(['10 s so far']);
});

it('extrapolates a known cost', () => {
  expect(timing(at({ done: 25 }), 10_000, 0.5).at(-1)).toBe('cost 0.5 so far, about 2 in the end');
  expect(timing(at({ done: 0 }), 10_000, 0).at(-1)).toBe('cost 0 so far');
});
