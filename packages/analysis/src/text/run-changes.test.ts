import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '../../../../test/runs.ts';
import { verdictChanges } from '../verdict-changes.ts';
import { runChangesText } from './run-changes.ts';

const HOUR = 3_600_000;
const commit = { hash: 'abc1234def'.padEnd(40, '0'), branch: 'main', dirty: true };
const since = { run: '20261128-044410-k3f9', name: 'short prompt', commit, startedAt: 0 };
const change = (caseId: string, now: 'passed' | 'failed' | 'error') => {
  return { setId: 'home', caseId, before: 'not-evaluated', now } as const;
};

it('names the run before, and lists failures before passes', () => {
  const changes = [change('c', 'passed'), change('a', 'failed'), change('b', 'failed'), change('d', 'error')];
  expect(runChangesText({ ...since, changes }, { now: 2 * HOUR })).toBe(
    'Since 20261128-044410-k3f9 ("short prompt", commit abc1234 with changes, 2 h ago): now failing: a, b; now ending in an error: d; now passing: c',
  );
  expect(runChangesText({ run: 'r', startedAt: 0, changes: [] }, { now: 1000 })).toBe(
    'Since r (just now): no verdict changed',
  );
});

it('names the set and the variant of a case where they are needed', () => {
  const changes = [
    { ...change('a', 'failed'), variant: 'fast' },
    { ...change('a', 'failed'), setId: 'garden' },
  ];
  expect(runChangesText({ run: 'r', startedAt: 0, changes }, { now: 0 })).toContain(
    'now failing: home:a (fast), garden:a',
  );
});

it('counts the cases that do not fit', () => {
  const changes = Array.from({ length: 5000 }, (_, index) => change(`case-${index}`, index % 2 ? 'passed' : 'failed'));
  const text = runChangesText({ ...since, changes }, { now: HOUR, room: 200 });
  expect(text).toContain(
    'now failing: case-0, case-2, case-4 and 2,497 more; now passing: case-1, case-3, case-5 and 2,497 more',
  );
  expect(text.length).toBeLessThanOrEqual(200);
});

const verdict = fc.constantFrom('passed', 'failed', 'error', 'not-evaluated', 'informational');
const cases = fc.uniqueArray(
  fc.record({
    setId: fc.constantFrom('a', 'b'),
    caseId: fc.constantFrom('1', '2', '3'),
    asked: fc.constantFrom('x', 'y'),
    verdict,
  }),
  { selector: ({ setId, caseId }) => `${setId} ${caseId}` },
);

it('a change is of a case that both runs have, with the same input and another verdict', () => {
  fc.assert(
    fc.property(cases, cases, (before, now) => {
      const found = verdictChanges(before, now);
      const wanted = now.filter((one) =>
        before.some(
          (other) =>
            other.setId === one.setId &&
            other.caseId === one.caseId &&
            other.asked === one.asked &&
            other.verdict !== one.verdict,
        ),
      );
      expect(found.map(({ setId, caseId, now: verdictNow }) => [setId, caseId, verdictNow])).toEqual(
        wanted.map(({ setId, caseId, verdict: own }) => [setId, caseId, own]),
      );
    }),
    { numRuns: runs(1000) },
  );
});
