import type { MatrixCase, MatrixCriterion, RunColumns } from '../../api.ts';

/** A run, or one of its variants. */
export interface MatrixColumn {
  readonly run: string;
  readonly variant: string | null;
  readonly startedAt: number;
  /** Cases that passed, of those that it has. */
  readonly passed: number;
  readonly of: number;
}

export interface MatrixCell extends Pick<MatrixCase, 'verdict' | 'passed' | 'of' | 'answer' | 'answers'> {
  /** By name of the criterion. */
  readonly scores: ReadonlyMap<string, NonNullable<MatrixCase['scores'][number]>>;
}

export interface MatrixRow {
  readonly set: string;
  readonly id: string;
  /** By column. `null` if the run does not have the case. */
  readonly cells: readonly (MatrixCell | null)[];
}

export interface Matrix {
  readonly columns: readonly MatrixColumn[];
  readonly criteria: readonly MatrixCriterion[];
  readonly rows: readonly MatrixRow[];
  /** Whether the rows are of several eval sets. */
  readonly hasSeveralSets: boolean;
}

/** Lays runs out as columns, in their order, and their cases as rows, in the order of the first run that has them. */
export function matrixOf(runs: readonly RunColumns[]): Matrix {
  const columns: { -readonly [Key in keyof MatrixColumn]: MatrixColumn[Key] }[] = [];
  const criteria = new Map<string, MatrixCriterion>();
  const rows = new Map<string, { readonly set: string; readonly id: string; readonly cells: (MatrixCell | null)[] }>();
  const width = runs.reduce((sum, { variants }) => sum + Math.max(variants.length, 1), 0);
  for (const { run, startedAt, variants, sets, criteria: own, cases } of runs) {
    const first = columns.length;
    for (const variant of variants.length === 0 ? [null] : variants) {
      columns.push({ run, variant, startedAt, passed: 0, of: 0 });
    }
    for (const one of own) if (!criteria.has(one.name)) criteria.set(one.name, one);
    for (const { set, id, variant = 0, scores, ...cell } of cases) {
      const setId = sets[set] ?? '';
      const key = JSON.stringify([setId, id]);
      const row = rows.get(key) ?? { set: setId, id, cells: Array<MatrixCell | null>(width).fill(null) };
      rows.set(key, row);
      const given = scores.flatMap((score, place) => {
        const name = own[place]?.name;
        return score === null || name === undefined ? [] : [[name, score] as const];
      });
      row.cells[first + variant] = { ...cell, scores: new Map(given) };
      const column = columns[first + variant];
      if (column === undefined) continue;
      column.of += 1;
      if (cell.verdict === 'passed') column.passed += 1;
    }
  }
  const all = [...rows.values()];
  return {
    columns,
    criteria: [...criteria.values()],
    rows: all,
    hasSeveralSets: new Set(all.map(({ set }) => set)).size > 1,
  };
}

export interface MatrixFilter {
  readonly search: string;
  /** Whether to show only rows whose cells differ. */
  readonly changed: boolean;
  /** The criterion whose scores are shown in the cells and limited by `min` and `max`. Empty: the verdict of the case. */
  readonly criterion: string;
  readonly min: number | null;
  readonly max: number | null;
}

/** Selects rows. With a range, at least one cell of a row has a score in it; a score that is missing is in no range. */
export function matrixRows(
  { rows }: Pick<Matrix, 'rows'>,
  { search, changed, criterion, min, max }: MatrixFilter,
  cells: 'answers' | 'verdicts',
): readonly MatrixRow[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const isLimited = criterion !== '' && (min !== null || max !== null);
  return rows.filter((row) => {
    const text = `${row.set}\n${row.id}`.toLowerCase();
    if (!words.every((word) => text.includes(word))) return false;
    if (changed && !differs(row, criterion, cells)) return false;
    return !isLimited || row.cells.some((cell) => isWithin(cell?.scores.get(criterion)?.[1], min, max));
  });
}

/** Whether the cells of a row differ in what they show. Runs that do not have the case are ignored. */
export function differs({ cells }: MatrixRow, criterion: string, shown: 'answers' | 'verdicts'): boolean {
  const values = cells.flatMap((cell) => {
    if (cell === null) return [];
    const score = criterion === '' ? null : (cell.scores.get(criterion) ?? null);
    return [JSON.stringify([cell.verdict, score, shown === 'answers' ? (cell.answers ?? null) : null])];
  });
  return new Set(values).size > 1;
}

function isWithin(score: number | null | undefined, min: number | null, max: number | null): boolean {
  if (score === null || score === undefined) return false;
  return (min === null || score >= min) && (max === null || score <= max);
}
