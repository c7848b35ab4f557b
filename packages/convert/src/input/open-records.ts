import { CriteriaError } from '@agent-criteria/core';
import { isObject } from '@agent-criteria/formats';
import { csvRows } from './csv-rows.ts';
import { jsonItems } from './json-items.ts';
import { jsonLines, jsonRecord } from './json-lines.ts';
import { openText } from './open-text.ts';
import type { ReadRecord } from './source-record.ts';
import { wholeText, yamlItems } from './yaml-items.ts';

/** The text format of a file. */
export type TextFormat = 'json' | 'jsonl' | 'yaml' | 'csv';

/** A file whose records are read one by one. */
export interface OpenedRecords {
  readonly text: TextFormat;
  readonly records: AsyncIterable<ReadRecord>;
}

/** The number of characters by which the text format is recognised. */
const HEAD = 1024 * 1024;

/**
 * Opens a file of records: JSON Lines, a JSON list or a single value, YAML, or CSV. The format is recognised by the
 * content, and by the file extension only where the content fits several.
 *
 * @param onBytes Called with the number of bytes of each piece that was read.
 * @param cwd The folder that the name of the file is relative to. Default: the working directory.
 * @throws CriteriaError FILE_NOT_FOUND, FILE_UNREADABLE, EMPTY, UNKNOWN_FORMAT.
 */
export async function openRecords(
  file: string,
  onBytes?: (count: number) => void,
  cwd?: string,
): Promise<OpenedRecords> {
  const pieces = openText(file, onBytes, cwd);
  const { head, rest } = await readHead(pieces);
  if (head.trim() === '') throw new CriteriaError({ code: 'EMPTY', file, message: 'this file is empty' });
  const text = textFormatOf(head, file);
  if (text === 'jsonl') return { text, records: jsonLines(rest, file) };
  if (text === 'yaml') return { text, records: yamlItems(rest, file) };
  if (text === 'csv') return { text, records: csvRows(rest, file, delimiterOf(head)) };
  return { text, records: head.trimStart().startsWith('[') ? jsonItems(rest, file) : jsonValue(rest, file) };
}

/** Reads the first pieces. `rest` yields these pieces, too. */
async function readHead(pieces: AsyncGenerator<string>) {
  const first: string[] = [];
  let length = 0;
  while (length < HEAD) {
    const { value, done } = await pieces.next();
    if (done === true) break;
    first.push(value);
    length += value.length;
  }
  async function* rest(): AsyncGenerator<string> {
    yield* first;
    yield* pieces;
  }
  return { head: first.join(''), rest: rest() };
}

function textFormatOf(head: string, file: string): TextFormat {
  const extension = /\.(\w+)(?:\.gz)?$/.exec(file.toLowerCase())?.[1] ?? '';
  const begun = head.trimStart();
  if (begun.startsWith('{') || begun.startsWith('[')) {
    if (extension === 'jsonl' || extension === 'ndjson') return 'jsonl';
    return areLines(begun) ? 'jsonl' : 'json';
  }
  if (extension === 'csv' || extension === 'tsv') return 'csv';
  if (extension === 'yaml' || extension === 'yml') return 'yaml';
  const [line = ''] = begun.split(/\r?\n/, 1);
  if (/^(?:---|- |-$|#|%YAML|["']?[\w .-]+["']?:(?: |$))/.test(line)) return 'yaml';
  if (/[,;\t]/.test(line)) return 'csv';
  const message = 'this is neither JSON, JSON Lines, YAML nor CSV: name a file of conversations';
  throw new CriteriaError({ code: 'UNKNOWN_FORMAT', file, message });
}

/** Whether the first line is a value of its own, and another one follows. */
function areLines(text: string): boolean {
  const end = text.indexOf('\n');
  if (end === -1 || !/^[{[]/.test(text.slice(end).trimStart())) return false;
  try {
    JSON.parse(text.slice(0, end));
    return true;
  } catch {
    return false;
  }
}

function delimiterOf(head: string): string {
  const [line = ''] = head.split(/\r?\n/, 1);
  const count = (delimiter: string) => line.split(delimiter).length;
  return [';', '\t'].reduce((most, one) => (count(one) > count(most) ? one : most), ',');
}

/** Keys under which files have their list of records. */
const LISTS = [
  'conversations',
  'sessions',
  'eval_cases',
  'evalCases',
  'records',
  'rows',
  'data',
  'items',
  'examples',
  'results',
];

/** Reads a single JSON object: a record, or one that has the list of records under a key. */
async function* jsonValue(pieces: AsyncIterable<string>, file: string): AsyncGenerator<ReadRecord> {
  const record = jsonRecord(await wholeText(pieces, file), file, 1);
  if ('problems' in record || !isObject(record.value)) yield record;
  else yield* recordsIn(record.value).map((value) => ({ value, line: record.line }));
}

function recordsIn(value: Readonly<Record<string, unknown>>): readonly unknown[] {
  const lists = LISTS.map((key) => (Object.hasOwn(value, key) ? value[key] : undefined));
  const found = lists.find((list) => Array.isArray(list) && list.length > 0 && list.every(isObject));
  return (found as readonly unknown[] | undefined) ?? [value];
}
