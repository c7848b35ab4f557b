import type { PageIndex, RunProgress } from '@agent-criteria/viewer/views';
import { expect, it } from 'vitest';
import type { LiveRow } from '../../api.ts';
import { addChange, dropOld, NO_ROWS, withChanges } from './live-rows.ts';

const progress = (version: number): RunProgress => ({
  version,
  done: version,
  doneBefore: 0,
  total: 9,
  running: 1,
  startedAt: 0,
  turnTimeout: null,
});
const page = (version: number | undefined) =>
  ({
    info: { variants: [{ name: 'one' }, { name: 'two' }] },
    sets: [{ id: 'set' }],
    cases: [
      { set: 0, id: 'a', variant: 0, verdict: 'waiting', asked: 'Hi' },
      { set: 0, id: 'a', variant: 1, verdict: 'waiting', asked: 'Hi' },
    ],
    ...(version !== undefined && { progress: progress(version) }),
  }) as unknown as PageIndex;
const change = (variant: string, verdict: LiveRow['row']['verdict']) => ({
  setId: 'set',
  caseId: 'a',
  variant,
  row: { verdict },
});
const verdicts = ({ cases }: PageIndex) => cases.map(({ verdict }) => verdict);

it('a change reaches the row of its variant, and keeps what it does not mention', () => {
  const changes = addChange(NO_ROWS, { progress: progress(2), rows: [change('two', 'running')] });
  const shown = withChanges(page(1), changes);
  expect(verdicts(shown)).toEqual(['waiting', 'running']);
  expect(shown.cases[1]).toMatchObject({ asked: 'Hi' });
  expect(shown.progress).toMatchObject({ done: 2 });
});

it('a page that was read later than a change wins over it', () => {
  const changes = addChange(addChange(NO_ROWS, { progress: progress(2), rows: [change('one', 'running')] }), {
    progress: progress(5),
    rows: [change('two', 'passed')],
  });
  expect(verdicts(withChanges(page(3), changes))).toEqual(['waiting', 'passed']);
  expect([...dropOld(changes, page(3)).rows.keys()]).toHaveLength(1);
  expect(withChanges(page(5), changes)).toEqual(page(5));
});

it('nothing is left of the changes once the run has ended', () => {
  const changes = addChange(NO_ROWS, { progress: progress(2), rows: [change('one', 'running')] });
  expect(dropOld(changes, page(undefined))).toBe(NO_ROWS);
  expect(verdicts(withChanges(page(undefined), changes))).toEqual(['waiting', 'waiting']);
});
