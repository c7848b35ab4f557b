import type { Range } from '@agent-criteria/core';
import { namedCriteria } from '@agent-criteria/results';
import type { CaseRow, Cell, PageIndex } from '../page-data.ts';
import { isPending } from './is-pending.ts';
import type { AnyVerdict, Filter } from './route.ts';

/** A row, with its position in the run. */
export interface PlacedRow {
  readonly row: CaseRow;
  readonly place: number;
  /** The rows of all the case's variants. Absent if there is only one agent. */
  readonly variants?: readonly PlacedRow[] | undefined;
}

/** A column of the grid: all criteria with the same name, in any set. */
export interface Column {
  readonly name: string;
  /** The position of the criterion in each set, or -1. */
  readonly at: readonly number[];
  readonly range: Range;
  /** The threshold, `null` if the criterion is informational, or `undefined` if sets differ. */
  readonly threshold: number | null | undefined;
  readonly description: string;
}

/** Lists the criteria in the configs of the sets. Criteria with the same name share a column. */
export function columnsOf({ sets }: Pick<PageIndex, 'sets'>): readonly Column[] {
  const names = [...new Set(sets.flatMap((set) => namedCriteria(set).map(({ name }) => name)))];
  return names.flatMap((name) => {
    const at = sets.map(({ criteria }) => criteria.findIndex((criterion) => criterion.name === name));
    const own = sets.flatMap(({ criteria }) => criteria.filter((criterion) => criterion.name === name));
    const [first] = own;
    if (first === undefined) return [];
    const agreed = own.every(({ threshold }) => threshold === first.threshold);
    const { range, description } = first;
    return [{ name, at, range, description, threshold: agreed ? first.threshold : undefined }];
  });
}

export function cellOf(row: CaseRow, column: Column): Cell | undefined {
  return row.cells[column.at[row.set] ?? -1];
}

/** Returns the verdict to filter by, which is that of the chosen criterion or of the case. */
function verdictOf(row: CaseRow, column: Column | undefined): AnyVerdict | undefined {
  return column === undefined ? row.verdict : cellOf(row, column)?.[0];
}

const WORST_FIRST: readonly AnyVerdict[] = [
  'failed',
  'error',
  'not-evaluated',
  'running',
  'passed',
  'informational',
  'skipped',
  'waiting',
];

/**
 * Filters and sorts rows. With several variants, a case is kept if any variant matches, and has a single row, for the
 * variant with the worst verdict.
 */
export function selectRows(index: PageIndex, columns: readonly Column[], filter: Filter): readonly PlacedRow[] {
  const rows = fittingRows(index, columns, filter);
  if (index.info.variants === undefined) return inOrder(rows, columns, filter);
  const worst = new Map<number, PlacedRow>();
  for (const { place } of rows) {
    const variants = variantsOf(index, place);
    const first = variants[0]?.place ?? place;
    if (worst.has(first)) continue;
    const [one] = variants.toSorted((a, b) => WORST_FIRST.indexOf(a.row.verdict) - WORST_FIRST.indexOf(b.row.verdict));
    if (one !== undefined) worst.set(first, { ...one, variants });
  }
  return inOrder([...worst.values()], columns, filter);
}

/** Returns the rows of all variants of a case, which are adjacent. */
export function variantsOf({ cases }: Pick<PageIndex, 'cases'>, place: number): readonly PlacedRow[] {
  const own = cases[place];
  const isSame = (row: CaseRow | undefined) => own !== undefined && row?.id === own.id && row.set === own.set;
  let first = place;
  while (isSame(cases[first - 1])) first -= 1;
  const rows: PlacedRow[] = [];
  for (let at = first; isSame(cases[at]); at++) rows.push({ row: cases[at] as CaseRow, place: at });
  return rows;
}

/** Whether a row, or another variant of its case, is the one at a position. */
export function holds({ place, variants }: PlacedRow, wanted: number | null | undefined): boolean {
  return place === wanted || variants?.some((variant) => variant.place === wanted) === true;
}

export function tagsOfRun({ cases }: Pick<PageIndex, 'cases'>): readonly string[] {
  return [...new Set(cases.flatMap(({ tags = [] }) => tags))].sort();
}

/** A filter that shows all cases, to be merged into one with columns and an order. */
export const EVERYTHING = { verdicts: [], criterion: null, search: '', tag: null } as const;

/** Returns the number of cases, counting all variants of a case as one. */
export function countCases({ cases, info }: Pick<PageIndex, 'cases' | 'info'>): number {
  return cases.length / (info.variants?.length ?? 1);
}

function fittingRows(index: PageIndex, columns: readonly Column[], filter: Filter): PlacedRow[] {
  const column = columns.find(({ name }) => name === filter.criterion);
  const words = searchWords(filter);
  const setNames = index.sets.map(({ id, name }) => `${id} ${name ?? ''}`);
  return index.cases
    .map((row, place): PlacedRow => ({ row, place }))
    .filter(({ row }) => {
      const verdict = verdictOf(row, column);
      if (column !== undefined && (column.at[row.set] ?? -1) < 0) return false;
      if (filter.verdicts.length > 0 && (verdict === undefined || !filter.verdicts.includes(verdict))) return false;
      if (filter.tag !== null && row.tags?.includes(filter.tag) !== true) return false;
      if (words.length === 0) return true;
      const tags = row.tags?.join(' ') ?? '';
      // Hidden columns are not searched, because a match in them would not be visible.
      const answer = filter.shown.includes('output') ? (row.answered ?? '') : '';
      const own = `${row.id} ${row.asked} ${answer} ${row.reason ?? ''}`;
      const text = `${own} ${setNames[row.set] ?? ''} ${tags}`.toLowerCase();
      return words.every((word) => text.includes(word));
    });
}

function inOrder(rows: PlacedRow[], columns: readonly Column[], filter: Filter): readonly PlacedRow[] {
  const column = columns.find(({ name }) => name === filter.criterion);
  const order = orderOf(filter, columns, column);
  return order === undefined ? rows : rows.sort((a, b) => order(a.row, b.row) || a.place - b.place);
}

/** Returns the search terms, all of which must match. */
export function searchWords({ search }: Filter): readonly string[] {
  return search.toLowerCase().split(/\s+/).filter(Boolean);
}

/** Counts rows by verdict, ignoring the filter's own verdicts. */
export function countVerdicts(
  index: PageIndex,
  columns: readonly Column[],
  filter: Filter,
): ReadonlyMap<AnyVerdict | undefined, number> {
  const column = columns.find(({ name }) => name === filter.criterion);
  const counts = new Map<AnyVerdict | undefined, number>();
  for (const { row } of fittingRows(index, columns, { ...filter, verdicts: [] })) {
    const verdict = verdictOf(row, column);
    counts.set(verdict, (counts.get(verdict) ?? 0) + 1);
  }
  return counts;
}

type Order = (a: CaseRow, b: CaseRow) => number;

function orderOf({ sort }: Filter, columns: readonly Column[], column: Column | undefined): Order | undefined {
  if (sort === 'id') return (a, b) => compare(a.id, b.id);
  if (sort === 'time') return (a, b) => (b.time ?? -1) - (a.time ?? -1);
  if (sort === 'tokens') return (a, b) => (b.tokens ?? -1) - (a.tokens ?? -1);
  if (sort === 'worst') {
    const rank = (row: CaseRow) =>
      WORST_FIRST.indexOf(verdictOf(row, column) ?? (isPending(row.verdict) ? row.verdict : 'error'));
    return (a, b) => rank(a) - rank(b);
  }
  if (sort === 'score') {
    const lowness = (row: CaseRow) => {
      const own = (column === undefined ? columns : [column]).map((each) => goodness(cellOf(row, each), each));
      return Math.min(...own);
    };
    return (a, b) => compare(lowness(a), lowness(b));
  }
  return undefined;
}

/** Converts a score so that higher is always better. Rows without a number sort last. */
function goodness(cell: Cell | undefined, { range }: Column): number {
  const score = cell?.[1] ?? null;
  if (score === null) return Number.POSITIVE_INFINITY;
  return range.better === 'higher' ? score : -score;
}

function compare<T extends string | number>(a: T, b: T): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
