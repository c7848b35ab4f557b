import type { CaseResult } from '@agent-criteria/core/host';
import type { RunEvent } from '@agent-criteria/runner';
import { expect, it } from 'vitest';
import { createRunTracker } from './run-tracker.ts';

const key = (caseId: string, repeat = 0) => ({ setId: 'set', caseId, repeat });
const result = (caseId: string, verdict: CaseResult['verdict'] = 'passed'): CaseResult => ({
  setId: 'set',
  caseId,
  verdict,
  criteria: [],
  units: [],
});
const ended = { by: 'end-of-case' } as const;

function tracked(events: readonly object[], judged = true) {
  const tracker = createRunTracker({ judged });
  for (const event of events) tracker.note({ at: 1000, ...event } as RunEvent);
  return tracker;
}
const started = (units: number, repeats = 1) => ({ type: 'run-started', folder: null, units, repeats });
const verdicts = (tracker: ReturnType<typeof tracked>, after = 0) =>
  Object.fromEntries(tracker.changedAfter(after).map(({ caseId, row }) => [caseId, row.verdict]));

it('a case is running from its first unit until it has a result', () => {
  const tracker = tracked([
    started(3),
    { type: 'unit-started', key: key('a') },
    { type: 'unit-started', key: key('b') },
    { type: 'unit-inferred', key: key('a'), ending: ended, startedAt: 400 },
    { type: 'unit-scored', key: key('a'), startedAt: 0 },
  ]);
  expect(verdicts(tracker)).toEqual({ a: 'running', b: 'running' });
  expect(tracker.progress()).toMatchObject({ done: 1, total: 3, running: 1, startedAt: 1000 });
  const { version } = tracker.progress();
  tracker.note({ at: 2000, type: 'case-finished', result: result('a', 'failed') });
  expect(verdicts(tracker, version)).toEqual({ a: 'failed' });
  expect(tracker.changedAfter(version)[0]?.row).toMatchObject({ time: 600, cells: [] });
  expect(tracker.changedAfter(tracker.progress().version)).toEqual([]);
});

it('a unit that ended in an error is done without a score, as is every unit of a run that is not judged', () => {
  const error = { by: 'error', of: 'agent', error: { code: 'X', message: 'it broke' } };
  const inferred = (ending: object) => ({ type: 'unit-inferred', key: key('a'), ending, startedAt: 0 });
  expect(tracked([started(1), inferred(error)]).progress().done).toBe(1);
  expect(tracked([started(1), inferred(ended)]).progress().done).toBe(0);
  expect(tracked([started(1), inferred(ended)], false).progress().done).toBe(1);
});

it('a case that stops early counts all its repeats as done, once', () => {
  const tracker = tracked([
    started(10, 5),
    { type: 'unit-scored', key: key('a', 0), startedAt: 0 },
    { type: 'unit-scored', key: key('a', 1), startedAt: 0 },
    { type: 'case-finished', result: result('a') },
    { type: 'unit-scored', key: key('a', 1), startedAt: 0 },
  ]);
  expect(tracker.progress()).toMatchObject({ done: 5, total: 10, doneBefore: 0 });
});

it('what an earlier start finished counts as done before, and its rows stay as they were read', () => {
  const tracker = tracked([started(4, 2), { type: 'case-known', setId: 'set', caseId: 'old', verdict: 'passed' }]);
  expect(tracker.progress()).toMatchObject({ done: 2, doneBefore: 2 });
  expect(tracker.changedAfter(0)).toEqual([]);
  const read = { verdict: 'error', reason: 'no inference is recorded', cells: [] } as never;
  expect(tracker.update(read, { setId: 'set', caseId: 'old' })).toBe(read);
  expect(tracker.update(read, { setId: 'set', caseId: 'new' })).toEqual({
    verdict: 'waiting',
    reason: undefined,
    cells: [],
  });
});

it('tells its watchers about every change, and stopping is not undone by cancelling', () => {
  const tracker = tracked([started(1)]);
  let told = 0;
  const end = tracker.watch(() => {
    told += 1;
  });
  tracker.cancel('finishing');
  expect(tracker.progress().cancelled).toBe('finishing');
  tracker.cancel('stopping');
  tracker.cancel('finishing');
  expect(tracker.progress().cancelled).toBe('stopping');
  end();
  tracker.note({ at: 1, type: 'unit-started', key: key('a') });
  expect(told).toBe(3);
});
