import type { RunCriterion, RunInfo, RunSet } from '@agent-criteria/results';
import { expect, it } from 'vitest';
import { criteriaDifferences, runTitle } from './compared-differences.ts';

const criterion = (name: string, more: Partial<RunCriterion> = {}) =>
  ({ name, decides: true, threshold: 0.8, minCoverage: 1, written: { threshold: 0.8 }, ...more }) as RunCriterion;
const set = (id: string, ...criteria: readonly RunCriterion[]) => ({ id, criteria }) as unknown as RunSet;

it('criteriaDifferences() names criteria of only one run, and what changed in the others', () => {
  const before = set('home', criterion('same'), criterion('gone'), criterion('moved'), criterion('judged'));
  const now = set(
    'home',
    criterion('same'),
    criterion('moved', { threshold: 0.9, written: { threshold: 0.9 } }),
    criterion('judged', { minCoverage: 0.5, written: { threshold: 0.8, judge_model_options: { num_samples: 3 } } }),
    criterion('added', { decides: false, threshold: null }),
  );
  expect(criteriaDifferences({ sets: [before] }, { sets: [now] })).toEqual([
    'gone only before',
    'moved: threshold 0.8 → 0.9',
    'judged: coverage at least 100% → 50%, other options',
    'added only now',
  ]);
});

it('criteriaDifferences() ignores sets of only one run, names several, and takes a number for a threshold', () => {
  const sets = (threshold: number, ...ids: readonly string[]) =>
    ids.map((id) => set(id, criterion('c', { threshold, written: threshold })));
  expect(criteriaDifferences({ sets: sets(1, 'a', 'b', 'x') }, { sets: sets(0.5, 'a', 'b', 'y') })).toEqual([
    'a: c: threshold 1 → 0.5',
    'b: c: threshold 1 → 0.5',
  ]);
});

it('runTitle() is the name of a run, or else that of its eval sets', () => {
  const info = { id: '20261128-1' } as RunInfo;
  expect(runTitle({ info: { ...info, name: 'Shorter prompt' }, sets: [] })).toBe('Shorter prompt');
  expect(runTitle({ info, sets: [{ ...set('home'), name: 'Home' }, set('b')] })).toBe('Home, b');
  expect(runTitle({ info, sets: [] })).toBe('20261128-1');
});
