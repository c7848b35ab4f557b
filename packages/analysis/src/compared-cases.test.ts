import { expect, it } from 'vitest';
import { caseOf, exactMatch, runOf } from './__fixtures__/outcomes.ts';
import { comparedCases } from './compared-cases.ts';

it('compared cases are ordered: lost, gained, changed scores with the largest fall first, then the rest', () => {
  const before = runOf([
    caseOf('same', [true, true]),
    caseOf('a little worse', [true, true, true, false]),
    caseOf('gained', [false, false]),
    caseOf('much worse', [true, true, true, false]),
    caseOf('lost', [true, true]),
    caseOf('better', [false, false, true, false]),
  ]);
  const after = runOf([
    caseOf('same', [true, true]),
    caseOf('a little worse', [true, true, false, false]),
    caseOf('gained', [true, true]),
    caseOf('much worse', [false, false, false, false]),
    caseOf('lost', [true, false]),
    caseOf('better', [true, false, true, true]),
  ]);
  const rows = comparedCases(before, after);
  expect(rows.map(({ caseId, change }) => [caseId, change])).toEqual([
    ['lost', 'lost'],
    ['gained', 'gained'],
    ['much worse', 'changed'],
    ['a little worse', 'changed'],
    ['better', 'changed'],
    ['same', 'same'],
  ]);
  expect(rows[0]).toMatchObject({
    base: { verdict: 'passed', passed: 2, of: 2 },
    candidate: { verdict: 'failed', passed: 1, of: 2, answer: 'lost false' },
    scores: [{ name: 'exact_match', base: 1, candidate: 0.5, better: false }],
  });
  expect(rows.at(-1)?.scores).toEqual([]);
});

it('every case that cannot be compared is named, with the reason and its result in each run', () => {
  const before = runOf([caseOf('both', [true]), caseOf('old', [true]), caseOf('asked', [true])]);
  const after = runOf([caseOf('both', [true]), caseOf('new', [false]), caseOf('asked', [true], { asked: 'other' })]);
  expect(comparedCases(before, after)).toMatchObject([
    { caseId: 'both', change: 'same' },
    {
      caseId: 'asked',
      change: 'unpaired',
      unpaired: 'it gives the agent different input now',
      base: {},
      candidate: {},
    },
    { caseId: 'old', change: 'unpaired', unpaired: 'only the base run has it', candidate: null },
    { caseId: 'new', change: 'unpaired', unpaired: 'only the new run has it', base: null },
  ]);
});

it('scores that mean something else in the other run are left out', () => {
  const before = runOf([caseOf('a', [true, false])]);
  const after = runOf([caseOf('a', [false, false])], { criteria: [{ ...exactMatch, options: 'others' }] });
  expect(comparedCases(before, after)).toMatchObject([{ change: 'changed', scores: [], base: { passed: 1 } }]);
});

it('a score that appears or disappears is a difference, neither better nor worse', () => {
  const before = runOf([caseOf('a', [null])]);
  const after = runOf([caseOf('a', [null, true])]);
  expect(comparedCases(before, after)).toMatchObject([
    { change: 'changed', scores: [{ base: null, candidate: 1, better: null }] },
  ]);
});
