import type { Verdict } from '@agent-criteria/core/host';
import { expect, it } from 'vitest';
import { firstToLookAt } from './beside.ts';
import type { PlacedRow } from './select-cases.ts';

const rowsOf = (...verdicts: Verdict[]): PlacedRow[] =>
  verdicts.map((verdict, place) => ({
    place,
    row: {
      set: 0,
      id: `c${place}`,
      verdict,
      asked: '',
      cells: [],
      time: null,
      repeats: { passed: 0, total: 1 },
      limited: 0,
      warned: false,
    },
  }));

it('firstToLookAt() prefers failed cases, then errors, then unjudged cases, and while the run is in flight returns only failed ones', () => {
  const first = (isOver: boolean, ...verdicts: Verdict[]) => firstToLookAt(rowsOf(...verdicts), isOver)?.place;
  expect(first(true, 'passed', 'not-evaluated', 'error', 'failed', 'failed')).toBe(3);
  expect(first(true, 'passed', 'not-evaluated', 'error')).toBe(2);
  expect(first(true, 'informational', 'not-evaluated')).toBe(1);
  expect(first(true, 'passed', 'informational')).toBeUndefined();
  // In an unfinished run, a case that has not run yet has the verdict "error".
  expect(first(false, 'error', 'not-evaluated', 'failed')).toBe(2);
  expect(first(false, 'error', 'not-evaluated')).toBeUndefined();
});
