import { describe, expect, it } from 'vitest';
import { caseOf, runOf } from '../__fixtures__/outcomes.ts';
import { compareRuns } from '../compare-runs.ts';
import { changeCells } from './change-cells.ts';

describe('a change in a table', () => {
  const before = runOf([caseOf('a', [true]), caseOf('b', [true]), caseOf('c', [true])]);
  const after = runOf([caseOf('a', [true]), caseOf('b', [true]), caseOf('c', [false])]);
  const cells = (base: typeof before, candidate: typeof before) => {
    const { passRate } = compareRuns(base, candidate);
    return passRate && changeCells(passRate, true);
  };

  it('has a sign', () => {
    expect(cells(before, after)).toMatchObject({ before: '100%', now: '67%', difference: '-33' });
    expect(cells(after, before)).toMatchObject({ before: '67%', now: '100%', difference: '+33' });
  });

  it('has an interval even if it is 0', () => {
    expect(cells(before, before)).toMatchObject({
      difference: '0',
      interval: expect.stringMatching(/^-\d+ to \d+$/),
      verdict: 'neither shown nor ruled out',
    });
  });
});
