import { CriteriaError, didYouMean, type Problem } from '@agent-criteria/core';
import { type Draw, isDraw, type Label, type Labelled } from '@agent-criteria/results';
import { type CsvRow, csvLine, readCsv } from './csv-line.ts';

/** An item to label, with its label if it already has one. */
export interface LabelRow extends Labelled {
  readonly label: 'pass' | 'fail' | null;
  readonly reason: string | null;
  readonly by: string | null;
  /** The time of labelling, in milliseconds since the epoch. */
  readonly at: number | null;
  /** How the item was drawn, or `undefined` if unknown. */
  readonly drawn?: Draw | undefined;
  /** The user's message, the expected answer and the actual answer, which people read to decide. */
  readonly prompt?: string | undefined;
  readonly expected?: string | undefined;
  readonly answer?: string | undefined;
}

/** The columns. Those that the CSV report also has come first. */
const COLUMNS = [
  ...(['eval_set_id', 'eval_id', 'variant', 'repeat', 'turn', 'metric_name', 'rubric_id'] as const),
  ...(['label', 'reason', 'by', 'labelled_at', 'drawn'] as const),
  ...(['prompt', 'expected_response', 'actual_response'] as const),
] as const;

type Column = (typeof COLUMNS)[number];

/** Formats items to label as CSV for a spreadsheet, one row each, with the label `pass`, `fail` or empty. */
export function labelsCsv(rows: readonly LabelRow[]): string {
  const lines = rows.map((row) => {
    const cells: Readonly<Record<Column, string | number | null | undefined>> = {
      eval_set_id: row.setId,
      eval_id: row.caseId,
      variant: row.variant,
      repeat: row.repeat + 1,
      turn: row.turn === null ? null : row.turn + 1,
      metric_name: row.criterion,
      rubric_id: row.rubric,
      label: row.label,
      reason: row.reason,
      by: row.by,
      labelled_at: row.at === null ? null : new Date(row.at).toISOString(),
      drawn: row.drawn,
      prompt: row.prompt,
      expected_response: row.expected,
      actual_response: row.answer,
    };
    return csvLine(COLUMNS.map((column) => cells[column]));
  });
  return csvLine(COLUMNS) + lines.join('');
}

export interface ReadLabelsOptions {
  /** The file to name in errors. */
  readonly file: string;
  /** The default name of the person who labelled. */
  readonly by: string | undefined;
  /** The default time of labelling, in milliseconds since the epoch. */
  readonly at: number;
  /** Returns `null` if there is such an item to label, or else the reason why not, as a clause. */
  readonly check: (labelled: Labelled) => string | null;
}

const PASS = ['pass', 'passed', 'yes', 'true', '1'];
const FAIL = ['fail', 'failed', 'no', 'false', '0'];

const NEEDED: readonly Column[] = ['eval_set_id', 'eval_id', 'label'];

/**
 * Reads the labels in a CSV file. Skips rows without a label and ignores unknown columns. If the column is missing,
 * `repeat` is 1, `turn` means the whole conversation, and `metric_name` the whole case.
 *
 * @throws CriteriaError INVALID_DATA listing every mistake with its line and column.
 */
export function readLabelsCsv(text: string, options: ReadLabelsOptions): readonly Label[] {
  const { file } = options;
  const [header, ...rows] = readCsv(text, file);
  const names = header?.cells.map((cell) => cell.trim().toLowerCase()) ?? [];
  const missing = NEEDED.filter((column) => !names.includes(column));
  if (missing.length > 0) {
    throw new CriteriaError(
      missing.map((column) => {
        const message = `there is no column "${column}"${didYouMean(column, names)}: the first line must name the columns`;
        return { code: 'INVALID_DATA', file, path: 'line 1', message } as const;
      }),
    );
  }
  const problems: Problem[] = [];
  const labels = rows.flatMap((row) => {
    const read = readRow(row, names, options);
    if (!Array.isArray(read)) return [read as Label];
    problems.push(...(read as readonly Problem[]));
    return [];
  });
  if (problems.length > 0) throw new CriteriaError(problems);
  return labels;
}

/** Reads a label, or returns the mistakes in the row. Returns no mistakes for a row without a label. */
function readRow(row: CsvRow, names: readonly string[], options: ReadLabelsOptions): Label | readonly Problem[] {
  const { file, by, at, check } = options;
  const problems: Problem[] = [];
  const wrong = (column: Column, message: string) => {
    problems.push({ code: 'INVALID_DATA', file, path: `line ${row.line}, column ${column}`, message });
  };
  const raw = (column: Column) => row.cells[names.indexOf(column)] ?? '';
  const cell = (column: Column) => raw(column).trim();
  const place = (column: Column): number | null => {
    const written = cell(column);
    if (written === '') return null;
    if (/^[1-9]\d{0,8}$/.test(written)) return Number(written) - 1;
    wrong(column, `"${written}" must be a whole number from 1`);
    return null;
  };

  const word = cell('label');
  if (word === '') return [];
  const known = word.toLowerCase();
  const label = PASS.includes(known) ? 'pass' : FAIL.includes(known) ? 'fail' : undefined;
  if (label === undefined) wrong('label', `"${word}" must be pass or fail, or empty`);
  const who = cell('by') || by;
  if (who === undefined) wrong('by', 'it is empty: say who labelled, here or with --by NAME');
  const written = cell('labelled_at');
  const when = written === '' ? at : Date.parse(written);
  if (Number.isNaN(when)) wrong('labelled_at', `"${written}" must be a date, such as 2026-11-22T10:00:00Z`);
  const drawn = cell('drawn') || undefined;
  if (drawn !== undefined && !isDraw(drawn)) wrong('drawn', `"${drawn}" must be random or by-verdict, or empty`);
  const variant = raw('variant') || undefined;
  const labelled: Labelled = {
    setId: raw('eval_set_id'),
    caseId: raw('eval_id'),
    ...(variant === undefined ? {} : { variant }),
    repeat: place('repeat') ?? 0,
    turn: place('turn'),
    criterion: raw('metric_name') || null,
    rubric: raw('rubric_id') || null,
  };
  const why = problems.length === 0 ? check(labelled) : null;
  if (why !== null) wrong('eval_id', why);
  if (problems.length > 0 || label === undefined || who === undefined) return problems;
  return {
    ...labelled,
    label,
    reason: raw('reason').trim() || null,
    by: who,
    at: when,
    ...(isDraw(drawn) ? { drawn } : {}),
  };
}
