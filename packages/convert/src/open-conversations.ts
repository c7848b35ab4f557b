import { basename } from 'node:path';
import { CriteriaError, type Problem } from '@agent-criteria/core';
import type { ValuePath } from '@agent-criteria/values';
import { isAdkEvent, isAdkSession, readAdkSession, sessionOfEvent } from './adk/read-adk.ts';
import { isAgentsCliCase, readAgentsCliCase } from './agents-cli/read-agents-cli.ts';
import type { Conversation } from './conversation.ts';
import { openRecords, type TextFormat } from './input/open-records.ts';
import { placeOf, type ReadRecord, type SourceRecord } from './input/source-record.ts';
import { type Loss, type LossList, openLosses } from './losses.ts';
import { isTraces, type ReadSpans, readSpans } from './otel/read-spans.ts';
import { readTraces } from './otel/read-traces.ts';
import { type ColumnName, type ColumnPaths, columnText, isEach, parseColumns } from './rows/columns.ts';
import { parseConditions } from './rows/conditions.ts';
import { guessColumns } from './rows/guess-columns.ts';
import { type ReadRow, type ReadRowOptions, readRow } from './rows/read-row.ts';
import { keysAt, valueAt } from './rows/value-at.ts';

/**
 * The formats that can be read: message lists, ADK's sessions and events, datasets of agents-cli, traces of OpenTelemetry,
 * and rows with columns.
 */
export const FORMATS = ['messages', 'adk', 'agents-cli', 'traces', 'rows'] as const;

export type ImportFormat = (typeof FORMATS)[number];

export interface OpenConversationsOptions {
  /** The files, which are read in this order. */
  readonly files: readonly string[];
  /** The format. Default: detected from the first records of each file. */
  readonly as?: ImportFormat | undefined;
  /**
   * Columns of rows with their paths, as `answer=$.output.text`; with an empty path, the column is not read. Default:
   * guessed from the names and values of the first records.
   */
  readonly columns?: readonly string[] | undefined;
  /** The labels that mean a pass; any other then means a failure. Default: the usual words, `true` and 1. */
  readonly passes?: readonly string[] | undefined;
  /** Only records with these values, as `$.status=closed`. Default: all. */
  readonly where?: readonly string[] | undefined;
  /** The text of a last message of the user that ends a conversation and is not a turn of it. Default: none. */
  readonly stop?: string | undefined;
  /** Whether to leave out records that cannot be read, and to list them. Default `false`: they are errors. */
  readonly skipInvalid?: boolean | undefined;
  /** Aborting it ends the reading. */
  readonly signal?: AbortSignal | undefined;
  /** Called for each piece of a file that was read. */
  readonly onBytes?: ((count: number) => void) | undefined;
}

/** How a file was read. Plain JSON. */
export interface ReadFile {
  readonly file: string;
  readonly text: TextFormat;
  readonly format: ImportFormat;
  /** The paths of the columns, by name. Empty for ADK's sessions. */
  readonly columns: Readonly<Record<string, string>>;
  /** The columns that were guessed. */
  readonly guessed: readonly string[];
}

export interface OpenedConversations {
  /**
   * The conversations, one by one. At the end, it throws every mistake at once, so that nothing is left out unless that
   * was asked for.
   */
  readonly conversations: AsyncIterable<Conversation>;
  /** The files that have been opened so far. */
  readonly files: readonly ReadFile[];
  /** Everything that could not be taken over so far. */
  losses(): readonly Loss[];
  /** Notes something that could not be taken over later. */
  lose(what: string, where: string): void;
}

/** The number of records by which format and columns are recognised. */
const SAMPLE = 20;
/** The number of mistakes after which reading ends. */
const MOST_PROBLEMS = 50;

/**
 * Opens files of recorded conversations. Reading is lazy, and holds a single conversation in memory.
 * @throws CriteriaError USAGE for wrong columns. Mistakes in files are thrown by `conversations`.
 */
export function openConversations(options: OpenConversationsOptions): OpenedConversations {
  const named = parseColumns(options.columns ?? []);
  const losses = openLosses();
  const files: ReadFile[] = [];
  const where = parseConditions(options.where ?? []);
  const reading: Reading = { options, named, found: new Set(), where, losses, files, problems: [] };
  return { conversations: readFiles(reading), files, losses: () => losses.list(), lose: losses.add };
}

interface Reading {
  readonly options: OpenConversationsOptions;
  readonly named: ReturnType<typeof parseColumns>;
  /** The named columns that some record has. */
  readonly found: Set<ColumnName>;
  readonly where: ReturnType<typeof parseConditions>;
  readonly losses: LossList;
  readonly files: ReadFile[];
  readonly problems: Problem[];
}

async function* readFiles(reading: Reading): AsyncGenerator<Conversation> {
  const { options, problems } = reading;
  for (const file of options.files) {
    if (problems.length >= MOST_PROBLEMS) break;
    try {
      yield* readFile(reading, file);
    } catch (error) {
      if (!CriteriaError.is(error)) throw error;
      problems.push(...error.problems);
    }
  }
  if (problems.length === 0) problems.push(...missingColumns(reading));
  if (problems.length > 0) throw new CriteriaError(problems.slice(0, MOST_PROBLEMS));
}

/** Lists named columns that no record has: a mistyped path must not become a run without labels. */
function missingColumns({ named, found, files }: Reading): readonly Problem[] {
  const missing = [...named].filter(([name, path]) => path !== null && !found.has(name));
  return missing.map(([name, path]): Problem => {
    const message = `no record has the column ${name} at ${columnText(path as ValuePath)}: correct the path, or leave the column out`;
    return { code: 'INVALID_DATA', file: files[0]?.file, message };
  });
}

async function* readFile(reading: Reading, file: string): AsyncGenerator<Conversation> {
  const { options, files } = reading;
  const { text, records } = await openRecords(file, options.onBytes);
  const readable = intactOnes(records, reading, file);
  const sample: SourceRecord[] = [];
  while (sample.length < SAMPLE) {
    const { value, done } = await readable.next();
    if (done === true) break;
    sample.push(value);
  }
  const values = sample.map(({ value }) => value);
  const all = chained(sample, readable);
  const format = options.as ?? detected(values);
  if (format === 'traces') {
    files.push({ file, text, format, columns: {}, guessed: [] });
    yield* tracedConversations(all, reading, file);
    return;
  }
  if (format === 'adk') {
    files.push({ file, text, format, columns: {}, guessed: [] });
    yield* adkConversations(all, reading, file);
    return;
  }
  if (format === 'agents-cli') {
    files.push({ file, text, format, columns: {}, guessed: [] });
    yield* agentsCliConversations(all, reading, file);
    return;
  }
  const columns = columnsFor(values, format, reading.named);
  const shown = Object.entries(columns).map(([name, path]) => [name, columnText(path)] as const);
  const guessed = shown.flatMap(([name]) => (reading.named.has(name as ColumnName) ? [] : [name]));
  const kind = format ?? (columns.messages === undefined ? 'rows' : 'messages');
  files.push({ file, text, format: kind, columns: Object.fromEntries(shown), guessed });
  yield* rowConversations(all, columns, reading, file);
}

function detected(values: readonly unknown[]): ImportFormat | null {
  if (values.some(isTraces)) return 'traces';
  if (values.some((one) => isAdkSession(one) || isAdkEvent(one))) return 'adk';
  return values.some(isAgentsCliCase) ? 'agents-cli' : null;
}

async function* agentsCliConversations(
  records: AsyncIterable<SourceRecord>,
  reading: Reading,
  file: string,
): AsyncGenerator<Conversation> {
  for await (const { value, line } of records) {
    if (!reading.where(value)) continue;
    const where = placeOf(file, line);
    const message = 'this is no case of a dataset of agents-cli: it has neither a "prompt" nor "agent_data"';
    const read = isAgentsCliCase(value)
      ? readAgentsCliCase(value, { file, line, where }, reading.losses.add)
      : [{ code: 'INVALID_DATA', file, path: `line ${line}`, message } as const];
    if ('length' in read) refuse(reading, read, where);
    else yield read;
  }
}

/** Reads all spans of a file first, because those of one trace may be anywhere in it. */
async function* tracedConversations(
  records: AsyncIterable<SourceRecord>,
  reading: Reading,
  file: string,
): AsyncGenerator<Conversation> {
  const exports: ReadSpans[] = [];
  for await (const { value, line } of records) {
    if (isTraces(value)) exports.push(readSpans(value, placeOf(file, line)));
    else {
      const message = 'this is no export of traces, which has "resourceSpans"';
      refuse(reading, [{ code: 'INVALID_DATA', file, path: `line ${line}`, message }], placeOf(file, line));
    }
  }
  yield* readTraces(exports, reading.losses.add);
}

function columnsFor(sample: readonly unknown[], format: ImportFormat | null, named: Reading['named']): ColumnPaths {
  const guessed = new Map(Object.entries(guessColumns(sample)));
  if (format === 'rows') guessed.delete('messages');
  for (const [name, path] of named) {
    if (path === null) guessed.delete(name);
    else guessed.set(name, path);
  }
  // A user who names the question means rows, even where a record has a list of messages, too.
  if (named.has('user') && !named.has('messages')) for (const name of ['messages', 'turns']) guessed.delete(name);
  if (named.has('turns') && !named.has('messages')) guessed.delete('messages');
  if (named.has('messages') && !named.has('turns')) guessed.delete('turns');
  return Object.fromEntries(guessed);
}

/** Passes on records that could be read, and collects the mistakes in the others. */
async function* intactOnes(
  records: AsyncIterable<ReadRecord>,
  reading: Reading,
  file: string,
): AsyncGenerator<SourceRecord, undefined> {
  for await (const record of records) {
    reading.options.signal?.throwIfAborted();
    if (!('problems' in record)) yield record;
    else refuse(reading, record.problems, placeOf(file, record.line));
    if (reading.problems.length >= MOST_PROBLEMS) return;
  }
}

/** Notes a record that cannot be read: as left out if the user asked for that, otherwise as a mistake. */
function refuse({ options, losses, problems }: Reading, found: readonly Problem[], where: string): void {
  if (options.skipInvalid === true)
    losses.add(`records that cannot be read (${found[0]?.message ?? ''}), left out`, where);
  else problems.push(...found);
}

async function* chained<T>(first: readonly T[], rest: AsyncIterable<T>): AsyncGenerator<T> {
  yield* first;
  yield* rest;
}

async function* rowConversations(
  records: AsyncIterable<SourceRecord>,
  columns: ColumnPaths,
  reading: Reading,
  file: string,
): AsyncGenerator<Conversation> {
  const { options, losses, named, found } = reading;
  const how: ReadRowOptions = {
    columns,
    named: new Set([...named].flatMap(([name, path]) => (path === null ? [] : [name]))),
    passes: (options.passes ?? []).map((value) => value.trim().toLowerCase()),
    stop: options.stop,
    onLoss: losses.add,
  };
  const repeated = Object.values(columns).find(isEach);
  let open: ReadRow | null = null;
  for await (const { value, line } of records) {
    const keys = repeated === undefined ? [undefined] : keysAt(value, repeated);
    for (const [name, path] of named) {
      if (path === null || found.has(name)) continue;
      if (keys.some((key) => valueAt(value, path, key) !== undefined)) found.add(name);
    }
    if (!reading.where(value)) continue;
    for (const key of keys) {
      const where = placeOf(file, line) + (key === undefined ? '' : `, ${key}`);
      const row = readRow(value, { file, line, where, key }, how);
      if ('length' in row) {
        refuse(reading, row, where);
        continue;
      }
      const own = key === undefined ? row : ofKey(row, key);
      if (open !== null && isNextTurn(open, own)) {
        open = joined(open, own);
        continue;
      }
      if (open !== null) yield open;
      open = own;
    }
  }
  if (open !== null) yield open;
}

/** Makes one of several conversations of a record: with an id of its own, in the group of the record. */
function ofKey(row: ReadRow, key: string | number): ReadRow {
  const id = row.id === null ? null : `${row.id}/${key}`;
  const group = row.group ?? row.id ?? undefined;
  return { ...row, id, ...(group === undefined ? {} : { group }), tags: [...(row.tags ?? []), String(key)] };
}

/** Whether a row is another turn of the conversation before it. */
function isNextTurn(open: ReadRow, next: ReadRow): boolean {
  return open.id !== null && open.id === next.id && open.turn !== null && next.turn !== null && next.turn > open.turn;
}

function joined(open: ReadRow, next: ReadRow): ReadRow {
  const shifted = [...next.expected].map(([turn, expected]) => [open.turns.length + turn, expected] as const);
  return {
    ...open,
    turn: next.turn,
    turns: [...open.turns, ...next.turns],
    expected: new Map([...open.expected, ...shifted]),
    ...((open.label ?? next.label) ? { label: open.label ?? next.label } : {}),
    ...((open.error ?? next.error) ? { error: open.error ?? next.error } : {}),
  };
}

async function* adkConversations(
  records: AsyncIterable<SourceRecord>,
  reading: Reading,
  file: string,
): AsyncGenerator<Conversation> {
  const { losses, problems } = reading;
  let events: { readonly id: string | null; readonly line: number; readonly list: unknown[] } | null = null;
  const ended = new Set<string>();
  const read = (session: Readonly<Record<string, unknown>>, line: number): Conversation | null => {
    const where = placeOf(file, line);
    const found = readAdkSession(session, { file, line, where }, losses.add);
    if (!('length' in found)) return found;
    refuse(reading, found, where);
    return null;
  };
  const close = (): Conversation | null => {
    if (events === null) return null;
    const { id, line, list } = events;
    if (id !== null) ended.add(id);
    events = null;
    return read({ id: id ?? nameOf(file), events: list }, line);
  };
  for await (const { value, line } of records) {
    if (isAdkSession(value)) {
      if (!reading.where(value)) continue;
      const session = read(value, line);
      if (session !== null) yield session;
    } else if (isAdkEvent(value)) {
      const id = sessionOfEvent(value);
      if (events !== null && events.id !== id) {
        const session = close();
        if (session !== null) yield session;
      }
      if (id !== null && ended.has(id)) {
        const message = `this event belongs to the session "${id}", whose events ended before: sort the file by session`;
        problems.push({ code: 'INVALID_DATA', file, path: `line ${line}`, message });
        return;
      }
      events ??= { id, line, list: [] };
      events.list.push(value);
    } else {
      const message = 'this is neither an ADK session, which has "events", nor an event, which has an "author"';
      refuse(reading, [{ code: 'INVALID_DATA', file, path: `line ${line}`, message }], placeOf(file, line));
    }
  }
  const session = close();
  if (session !== null) yield session;
}

/** Returns the name of a file without its extensions. */
export function nameOf(file: string): string {
  return basename(file).replace(/(?:\.\w{1,9}){1,3}$/, '') || 'conversations';
}
