import type { Range } from '@agent-criteria/core';
import { namedCriteria } from '@agent-criteria/results';
import type { CaseRow, Cell, PageIndex } from '../page-data.ts';
import type { AnyVerdict, Filter } from './route.ts';

/** A row with its place in the run, under which its details are found. */
export interface PlacedRow {
  readonly row: CaseRow;
  readonly place: number;
  /** The case as each of several agents ran it, itself among them; absent where there is one agent. */
  readonly variants?: readonly PlacedRow[] | undefined;
}

/** A criterion of any set, by name: a column of the grid. */
export interface Column {
  readonly name: string;
  /** Where each set has it among its criteria; -1 where it has not. */
  readonly at: readonly number[];
  readonly range: Range;
  /** `null` where it is not deciding, `undefined` where sets differ. */
  readonly threshold: number | null | undefined;
  readonly description: string;
}

/** The criteria that the sets' configs name; those of one name share a column. */
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

/** What the filter's verdicts are compared with: the verdict of the case, or that of the chosen criterion. */
function verdictOf(row: CaseRow, column: Column | undefined): AnyVerdict | undefined {
  return column === undefined ? row.verdict : cellOf(row, column)?.[0];
}

/** From what has to be looked at to what is well; what is equal stays in the order of the run. */
const WORST_FIRST: readonly AnyVerdict[] = ['failed', 'error', 'not-evaluated', 'passed', 'informational', 'skipped'];

/**
 * The rows that a filter lets through, in its order. Where several agents ran, a case is one row: that of the agent with the worst
 * verdict, and it is there when any of them fits.
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

/** The rows of a case, one for each of several agents; they follow each other. */
export function variantsOf({ cases }: Pick<PageIndex, 'cases'>, place: number): readonly PlacedRow[] {
  const own = cases[place];
  const isSame = (row: CaseRow | undefined) => own !== undefined && row?.id === own.id && row.set === own.set;
  let first = place;
  while (isSame(cases[first - 1])) first -= 1;
  const rows: PlacedRow[] = [];
  for (let at = first; isSame(cases[at]); at++) rows.push({ row: cases[at] as CaseRow, place: at });
  return rows;
}

/** Whether a row of the list is the one at a place, or a case of which another agent's is. */
export function holds({ place, variants }: PlacedRow, wanted: number | null | undefined): boolean {
  return place === wanted || variants?.some((variant) => variant.place === wanted) === true;
}

/** The tags of the cases, by name. */
export function tagsOfRun({ cases }: Pick<PageIndex, 'cases'>): readonly string[] {
  return [...new Set(cases.flatMap(({ tags = [] }) => tags))].sort();
}

/** What a filter shows again when everything is asked for: columns and order stay as they are. */
export const EVERYTHING = { verdicts: [], criterion: null, search: '', tag: null } as const;

/** How many cases there are, however many agents ran each. */
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
      // Hidden columns are not searched: a match in them could not be seen.
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

/** What is searched for: every one of these words has to be there. */
export function searchWords({ search }: Filter): readonly string[] {
  return search.toLowerCase().split(/\s+/).filter(Boolean);
}

/** How many results there are of each verdict, whatever verdicts the filter asks for. */
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
    const rank = (row: CaseRow) => WORST_FIRST.indexOf(verdictOf(row, column) ?? 'error');
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

/** A score turned so that higher is better; without a number it stands behind all others. */
function goodness(cell: Cell | undefined, { range }: Column): number {
  const score = cell?.[1] ?? null;
  if (score === null) return Number.POSITIVE_INFINITY;
  return range.better === 'higher' ? score : -score;
}

function compare<T extends string | number>(a: T, b: T): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
