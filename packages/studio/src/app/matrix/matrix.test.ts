import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../../test/runs.ts';
import type { MatrixCase, RunColumns } from '../../api.ts';
import { type MatrixFilter, matrixOf, matrixRows } from './matrix.ts';

const range = { min: 0, max: 1, better: 'higher' as const };
const criterion = { name: 'match', threshold: 0.5, range };
const one = (id: string, score: number | null, more: Partial<MatrixCase> = {}): MatrixCase => ({
  set: 0,
  id,
  verdict: score !== null && score >= 0.5 ? 'passed' : 'failed',
  passed: 1,
  of: 1,
  scores: [score === null ? null : (['passed', score] as const)],
  ...more,
});
const run = (id: string, cases: readonly MatrixCase[], variants: readonly string[] = []): RunColumns => ({
  run: id,
  startedAt: 0,
  agent: 'a',
  variants,
  sets: ['home'],
  criteria: [criterion],
  cases,
});
const NONE: MatrixFilter = { search: '', changed: false, criterion: '', min: null, max: null };
const ids = (list: readonly { readonly id: string }[]) => list.map(({ id }) => id);

describe('matrixOf()', () => {
  it('makes a column of each run, and of each variant of a run', () => {
    const two = run('new', [one('a', 1, { variant: 0 }), one('a', 0, { variant: 1 })], ['slow', 'fast']);
    const { columns, rows } = matrixOf([two, run('old', [one('a', 1)])]);
    expect(columns.map(({ run: of, variant, passed, of: all }) => [of, variant, passed, all])).toEqual([
      ['new', 'slow', 1, 1],
      ['new', 'fast', 0, 1],
      ['old', null, 1, 1],
    ]);
    expect(rows.map(({ cells }) => cells.map((cell) => cell?.verdict))).toEqual([['passed', 'failed', 'passed']]);
  });

  it('keeps a case that only some runs have, and says which do not', () => {
    const { rows } = matrixOf([run('new', [one('b', 1)]), run('old', [one('a', 1), one('b', 1)])]);
    expect(ids(rows)).toEqual(['b', 'a']);
    expect(rows[1]?.cells[0]).toBeNull();
  });

  it('keeps cases apart whose ids are keys of objects', () => {
    const { rows } = matrixOf([run('x', [one('__proto__', 1), one('constructor', 0)])]);
    expect(ids(rows)).toEqual(['__proto__', 'constructor']);
  });
});

describe('matrixRows()', () => {
  const same = [one('same', 1), one('other', 0), one('none', null)];
  const matrix = matrixOf([run('new', same), run('old', [one('same', 1), one('other', 1), one('none', null)])]);

  it('finds cases by all words of a search', () => {
    expect(ids(matrixRows(matrix, { ...NONE, search: 'HOME oth' }, 'verdicts'))).toEqual(['other']);
  });

  it('keeps rows that differ only', () => {
    expect(ids(matrixRows(matrix, { ...NONE, changed: true }, 'verdicts'))).toEqual(['other']);
  });

  it('counts other answers as a difference only where answers are shown', () => {
    const answers = matrixOf([
      run('new', [one('a', 1, { answers: 'x' })]),
      run('old', [one('a', 1, { answers: 'y' })]),
    ]);
    expect(matrixRows(answers, { ...NONE, changed: true }, 'answers')).toHaveLength(1);
    expect(matrixRows(answers, { ...NONE, changed: true }, 'verdicts')).toHaveLength(0);
  });

  it('does not count a run without the case as a difference', () => {
    const partly = matrixOf([run('new', [one('a', 1)]), run('old', [])]);
    expect(matrixRows(partly, { ...NONE, changed: true }, 'verdicts')).toEqual([]);
  });

  it('limits rows to those with a score in the range, in which a missing score never is', () => {
    const within = (min: number | null, max: number | null) =>
      ids(matrixRows(matrix, { ...NONE, criterion: 'match', min, max }, 'verdicts'));
    expect(within(0, 0.4)).toEqual(['other']);
    expect(within(0.5, null)).toEqual(['same', 'other']);
    expect(within(null, null)).toEqual(['same', 'other', 'none']);
  });

  it('finds every case of every run without a filter', () => {
    const cases = fc.uniqueArray(fc.string(), { maxLength: 5 }).map((all) => all.map((id) => one(id, 1)));
    fc.assert(
      fc.property(fc.array(cases, { maxLength: 4 }), (all) => {
        const { rows } = matrixOf(all.map((each, place) => run(String(place), each)));
        const found = matrixRows({ rows }, NONE, 'verdicts');
        expect(new Set(ids(found))).toEqual(new Set(all.flat().map(({ id }) => id)));
        for (const { id, cells } of found) {
          expect(cells.map((cell) => cell !== null)).toEqual(all.map((each) => each.some((own) => own.id === id)));
        }
      }),
      { numRuns: runs(500) },
    );
  });
});
