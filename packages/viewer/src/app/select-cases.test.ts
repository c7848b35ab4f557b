import type { RunCriterion, RunSet } from '@agent-criteria/results';
import { describe, expect, it } from 'vitest';
import type { CaseRow, Cell, PageIndex } from '../page-data.ts';
import { type Filter, NO_FILTER } from './route.ts';
import { cellOf, columnsOf, countCases, countVerdicts, holds, selectRows, tagsOfRun } from './select-cases.ts';

function criterion(name: string, threshold: number | null, better: 'higher' | 'lower' = 'higher'): RunCriterion {
  return {
    name,
    threshold,
    description: '',
    scope: 'turn',
    decides: threshold !== null,
    minCoverage: 1,
    written: null,
    origin: { package: 'p', version: '1.0.0' },
    range: { min: 0, max: 1, better },
    whenNotApplicable: 'skip',
  };
}

const verdicts = { passed: 0, failed: 0, 'not-evaluated': 0, error: 0, informational: 0 };
const summary = { verdict: 'failed', total: 4, verdicts, nothingJudged: false, exitCode: 1 } as const;
const set = (id: string, criteria: RunCriterion[]): RunSet => ({ id, file: null, configFile: null, criteria, summary });
const row = (id: string, verdict: CaseRow['verdict'], cells: Cell[], more: Partial<CaseRow> = {}): CaseRow => ({
  set: 0,
  id,
  verdict,
  cells,
  asked: `Ask ${id}`,
  time: null,
  repeats: { passed: 0, total: 1 },
  limited: 0,
  warned: false,
  ...more,
});

const index: PageIndex = {
  title: '',
  info: {
    id: 'r',
    scoring: 1,
    startedAt: 0,
    endedAt: 0,
    agent: 'a',
    repeats: 1,
    compat: null,
    packages: {},
    units: { total: 4, finished: 4 },
  },
  sets: [
    set('one', [criterion('match', 0.8), criterion('length', null, 'lower')]),
    set('two', [criterion('tone', 0.5), criterion('match', 0.5)]),
  ],
  summary,
  warnings: [],
  usage: {},
  cases: [
    row(
      'b',
      'passed',
      [
        ['passed', 0.9, 1],
        ['informational', 0.2, 1],
      ],
      { time: 5, tokens: 0 },
    ),
    row(
      'A',
      'failed',
      [
        ['failed', 0.1, 1],
        ['informational', 0.9, 1],
      ],
      { reason: 'Zürich is missing', tags: ['smoke', 'slow'] },
    ),
    row(
      'c',
      'not-evaluated',
      [
        ['not-evaluated', null, 0],
        ['skipped', null, null],
      ],
      { time: 9 },
    ),
    row('d', 'error', [], { set: 1 }),
    row(
      'e',
      'passed',
      [
        ['passed', 0.5, 1],
        ['passed', 0.6, 1],
      ],
      { set: 1, tokens: 70 },
    ),
  ],
};
const columns = columnsOf(index);
const ids = (filter: Partial<Filter>) =>
  selectRows(index, columns, { ...NO_FILTER, ...filter }).map((placed) => placed.row.id);

it('tagsOfRun() returns each tag once', () => {
  expect(tagsOfRun(index)).toEqual(['slow', 'smoke']);
});

describe('columnsOf()', () => {
  it('merges criteria with the same name', () => {
    expect(columns.map(({ name, at, threshold }) => [name, at, threshold])).toEqual([
      ['match', [0, 1], undefined],
      ['length', [1, -1], null],
      ['tone', [-1, 0], 0.5],
    ]);
    expect(index.cases.map((each) => columns.map((column) => cellOf(each, column)?.[1]))).toEqual([
      [0.9, 0.2, undefined],
      [0.1, 0.9, undefined],
      [null, null, undefined],
      [undefined, undefined, undefined],
      [0.6, undefined, 0.5],
    ]);
  });
});

describe('selectRows()', () => {
  it('without a filter, returns all rows with their positions, cases that did not pass first', () => {
    expect(selectRows(index, columns, NO_FILTER).map(({ place }) => place)).toEqual([1, 3, 2, 0, 4]);
  });

  it.each<[Partial<Filter>, string[]]>([
    [{ verdicts: ['failed', 'error'] }, ['A', 'd']],
    [{ criterion: 'match', verdicts: ['passed'] }, ['b', 'e']],
    [{ criterion: 'length', verdicts: ['skipped'] }, ['c']],
    [{ criterion: 'tone' }, ['d', 'e']],
    [{ tag: 'smoke' }, ['A']],
    [{ tag: 'smoke', verdicts: ['passed'] }, []],
    [{ search: 'slow' }, ['A']],
    [{ hidden: ['match', 'length'] }, ['A', 'd', 'c', 'b', 'e']],
    [{ criterion: 'no such criterion' }, ['A', 'd', 'c', 'b', 'e']],
    [{ sort: 'order' }, ['b', 'A', 'c', 'd', 'e']],
    [{ search: 'ZÜRICH missing' }, ['A']],
    [{ search: 'zürich absent' }, []],
    [{ search: 'two' }, ['d', 'e']],
    [{ sort: 'id' }, ['A', 'b', 'c', 'd', 'e']],
    [{ sort: 'time' }, ['c', 'b', 'A', 'd', 'e']],
    [{ sort: 'tokens' }, ['e', 'b', 'A', 'c', 'd']],
    [{ sort: 'score', criterion: 'match' }, ['A', 'e', 'b', 'c', 'd']],
    // If lower is better, the highest number is the worst score.
    [{ sort: 'score', criterion: 'length' }, ['A', 'b', 'c']],
  ])('filters and sorts by %o', (filter, expected) => {
    expect(ids(filter)).toEqual(expected);
  });

  it('filters by verdict, while countVerdicts() ignores the selected verdicts', () => {
    const counts = (filter: Partial<Filter>) =>
      [...countVerdicts(index, columns, { ...NO_FILTER, ...filter })]
        .map(([verdict, number]) => `${verdict} ${number}`)
        .sort();
    expect(counts({ verdicts: ['failed'] })).toEqual(['error 1', 'failed 1', 'not-evaluated 1', 'passed 2']);
    expect(counts({ criterion: 'tone' })).toEqual(['passed 1', 'undefined 1']);
    expect(counts({ search: 'two' })).toEqual(['error 1', 'passed 1']);
  });
});

describe('selectRows() with several variants', () => {
  const [fast, slow] = [{ variant: 0 }, { variant: 1 }];
  const compared: PageIndex = {
    ...index,
    info: {
      ...index.info,
      variants: ['fast', 'slow'].map((name) => ({ name, agent: name, summary })),
    },
    cases: [
      row('a', 'passed', [], fast),
      row('a', 'passed', [], slow),
      row('b', 'passed', [], fast),
      row('b', 'failed', [], { ...slow, reason: 'too short' }),
      row('b', 'error', [], { ...fast, set: 1 }),
      row('b', 'passed', [], { ...slow, set: 1 }),
    ],
  };
  const select = (filter: Partial<Filter>) => selectRows(compared, columns, { ...NO_FILTER, ...filter });
  const shown = (filter: Partial<Filter>) => select(filter).map(({ row: { set: of, id }, place }) => [of, id, place]);

  it('returns one row per case, for the variant with the worst verdict', () => {
    expect(shown({})).toEqual([
      [0, 'b', 3],
      [1, 'b', 4],
      [0, 'a', 0],
    ]);
    expect(select({})[0]?.variants?.map(({ place, row: { variant } }) => [place, variant])).toEqual([
      [2, 0],
      [3, 1],
    ]);
  });

  it('keeps a case if any variant matches, while countVerdicts() counts variants and countCases() counts cases', () => {
    expect(shown({ verdicts: ['passed'] })).toHaveLength(3);
    expect(shown({ verdicts: ['failed'] })).toEqual([[0, 'b', 3]]);
    expect(shown({ search: 'short' })).toEqual([[0, 'b', 3]]);
    expect(countVerdicts(compared, columns, NO_FILTER).get('passed')).toBe(4);
    expect(countCases(compared)).toBe(3);
  });

  it('returns rows for which holds() accepts the positions of all variants', () => {
    const [first, second] = select({});
    expect([2, 3].map((place) => first !== undefined && holds(first, place))).toEqual([true, true]);
    expect(second !== undefined && holds(second, 3)).toBe(false);
  });
});
