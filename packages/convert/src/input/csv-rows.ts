import { Readable } from 'node:stream';
import { CriteriaError, type Problem } from '@agent-criteria/core';
import { withoutFormulaGuard } from '@agent-criteria/report';
import { parse } from 'csv-parse';
import { LONGEST_RECORD, type ReadRecord } from './source-record.ts';

interface CsvRecord {
  readonly record: readonly string[];
  /** The number of lines up to the end of the record. */
  readonly info: { readonly lines: number };
}

/**
 * Reads CSV with a header line, as objects with the names of columns as keys. Cells are texts; an empty cell is absent.
 *
 * @param delimiter The separator: a comma, a semicolon or a tab.
 */
export async function* csvRows(
  pieces: AsyncIterable<string>,
  file: string,
  delimiter: string,
): AsyncGenerator<ReadRecord> {
  const parser = Readable.from(pieces).pipe(
    parse({
      delimiter,
      info: true,
      bom: true,
      relax_column_count: true,
      skip_empty_lines: true,
      max_record_size: LONGEST_RECORD,
    }),
  );
  let names: readonly string[] | undefined;
  let line = 1;
  try {
    for await (const { record, info } of parser as AsyncIterable<CsvRecord>) {
      const begun = line;
      line = info.lines + 1;
      if (names === undefined) names = checkedNames(record, file);
      else yield row(record, names, { file, line: begun });
    }
  } catch (error) {
    throw CriteriaError.is(error) ? error : new CriteriaError(csvProblem(error, file, line), { cause: error });
  }
}

/** Returns the names of columns. @throws CriteriaError for two columns of the same name. */
function checkedNames(header: readonly string[], file: string): readonly string[] {
  const names = header.map((name) => name.trim());
  const twice = names.find((name, index) => name !== '' && names.indexOf(name) !== index);
  if (twice === undefined) return names;
  const message = `two columns have the name "${twice}": give each its own`;
  throw new CriteriaError({ code: 'INVALID_DATA', file, path: 'line 1', message });
}

function row(
  cells: readonly string[],
  names: readonly string[],
  { file, line }: { readonly file: string; readonly line: number },
): ReadRecord {
  if (cells.length > names.length) {
    const message = `this row has ${cells.length} cells, but the header names ${names.length} columns: put cells with a separator in double quotes`;
    return { problems: [{ code: 'INVALID_DATA', file, path: `line ${line}`, message }], line };
  }
  // Defines every key, so that a column with the name __proto__ is one like any other.
  const value = Object.fromEntries(
    cells.flatMap((cell, index): [string, string][] => {
      const name = names[index] ?? '';
      return cell === '' || name === '' ? [] : [[name, withoutFormulaGuard(cell)]];
    }),
  );
  return { value, line };
}

function csvProblem(error: unknown, file: string, line: number): Problem {
  const { code, message, lines } = error as { code?: string; message: string; lines?: number };
  if (code !== 'CSV_QUOTE_NOT_CLOSED') {
    const why = `this row cannot be read as CSV: ${message}`;
    return { code: 'INVALID_DATA', file, path: `line ${lines ?? line}`, message: why };
  }
  // The parser tells the line of the quote only in its message.
  const [, opened = String(line)] = /at line (\d+)/.exec(message) ?? [];
  const why = 'a quotation mark opens in this row and never closes';
  return { code: 'INVALID_DATA', file, path: `line ${opened}`, message: why };
}
