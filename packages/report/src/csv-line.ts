import { CriteriaError } from '@agent-criteria/core';

export type CsvCell = string | number | boolean | null | undefined;

/**
 * Matches strings that a spreadsheet might take for a formula, in ASCII or full width. Apostrophes before a formula are
 * included: such a string gets another apostrophe, so that removing one restores the original.
 */
const FORMULA = /^'*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;

/** Formats a line of CSV for spreadsheets (RFC 4180). A string that could be taken for a formula gets an apostrophe. */
export function csvLine(cells: readonly CsvCell[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

function csvCell(cell: CsvCell): string {
  if (cell === null || cell === undefined) return '';
  if (typeof cell !== 'string') return String(cell);
  const safe = FORMULA.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** A row of a CSV file, with the number of its first line, counted from 1. */
export interface CsvRow {
  readonly line: number;
  readonly cells: readonly string[];
}

/**
 * Parses CSV (RFC 4180), including files with semicolons or tabs, which spreadsheets use in many countries. Skips empty
 * lines, and removes the apostrophe that `csvLine` puts before a formula.
 *
 * @throws CriteriaError INVALID_DATA if a quote is never closed.
 */
export function readCsv(text: string, file: string): readonly CsvRow[] {
  const plain = text.startsWith('\ufeff') ? text.slice(1) : text;
  const separator = separatorOf(plain);
  const rows: CsvRow[] = [];
  let cells: string[] = [];
  let [line, begun] = [1, 1];
  let at = 0;
  while (at < plain.length) {
    let cell: string;
    if (plain[at] === '"') {
      const end = closingQuote(plain, at);
      if (end === -1) {
        const message = 'a quotation mark opens here and never closes';
        throw new CriteriaError({ code: 'INVALID_DATA', file, path: `line ${line}`, message });
      }
      cell = plain.slice(at + 1, end).replaceAll('""', '"');
      at = end + 1;
    } else cell = '';
    // As in spreadsheets, text after a closing quote belongs to the cell.
    const from = at;
    while (at < plain.length && plain[at] !== separator && plain[at] !== '\n' && plain[at] !== '\r') at += 1;
    cell += plain.slice(from, at);
    line += cell.split(/\r\n|\r|\n/).length - 1;
    cells.push(withoutFormulaGuard(cell));
    const isLast = plain[at] !== separator;
    at += plain.startsWith('\r\n', at) ? 2 : 1;
    if (!isLast) {
      if (at < plain.length) continue;
      cells.push('');
    }
    if (cells.some((one) => one !== '')) rows.push({ line: begun, cells });
    cells = [];
    line += 1;
    begun = line;
  }
  return rows;
}

function closingQuote(text: string, open: number): number {
  let at = open + 1;
  for (;;) {
    at = text.indexOf('"', at);
    if (at === -1 || text[at + 1] !== '"') return at;
    at += 2;
  }
}

/** Returns the most frequent separator in the first line. */
function separatorOf(text: string): string {
  const [first = ''] = text.split(/\r\n|\r|\n/, 1);
  const count = (separator: string) => first.split(separator).length;
  return [';', '\t'].reduce((most, one) => (count(one) > count(most) ? one : most), ',');
}

/** Removes the apostrophe that `csvLine` puts before a formula. */
export function withoutFormulaGuard(cell: string): string {
  return cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell;
}
