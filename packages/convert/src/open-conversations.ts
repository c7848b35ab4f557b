import { CriteriaError, type Problem } from '@agent-criteria/core';
import type { ValuePath } from '@agent-criteria/values';
import { adkConversations } from './adk/adk-conversations.ts';
import { isAdkEvent, isAdkSession } from './adk/read-adk.ts';
import { agentsCliConversations } from './agents-cli/agents-cli-conversations.ts';
import { isAgentsCliCase } from './agents-cli/read-agents-cli.ts';
import { atifConversations } from './atif/atif-conversations.ts';
import { isAtif } from './atif/read-atif.ts';
import type { Conversation } from './conversation.ts';
import { type ConvertedCheck, openConversions } from './criteria/conversions.ts';
import { openRubricIds } from './criteria/rubric-ids.ts';
import { openRecords } from './input/open-records.ts';
import { placeOf, type ReadRecord, type SourceRecord } from './input/source-record.ts';
import { type Loss, openLosses } from './losses.ts';
import type { ImportFormat, OpenConversationsOptions, ReadFile } from './open-options.ts';
import { isOpenAiEvals } from './openai-evals/evals-shapes.ts';
import { openEvalsState } from './openai-evals/evals-state.ts';
import { openAiEvalsConversations, restOfEvals } from './openai-evals/openai-evals-conversations.ts';
import { isTraces } from './otel/read-spans.ts';
import { tracedConversations } from './otel/traced-conversations.ts';
import { promptfooConversations } from './promptfoo/promptfoo-conversations.ts';
import { isPromptfoo } from './promptfoo/promptfoo-shapes.ts';
import { type Reading, refuse } from './reading.ts';
import { type ColumnName, type ColumnPaths, columnText, parseColumns } from './rows/columns.ts';
import { parseConditions } from './rows/conditions.ts';
import { guessColumns } from './rows/guess-columns.ts';
import { rowConversations } from './rows/row-conversations.ts';

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
  /** The checks of files that became criteria so far. */
  conversions(): readonly ConvertedCheck[];
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
  const conversions = openConversions();
  const reading: Reading = {
    options,
    named,
    found: new Set(),
    where,
    losses,
    files,
    problems: [],
    conversions,
    rubricIds: openRubricIds(),
    evals: openEvalsState(conversions),
  };
  return {
    conversations: readFiles(reading),
    files,
    losses: () => losses.list(),
    conversions: conversions.list,
    lose: losses.add,
  };
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
  if (problems.length === 0) yield* restOfEvals(reading);
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
  const { text, records } = await openRecords(file, options.onBytes, options.cwd);
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
  if (format !== null && Object.hasOwn(READERS, format)) {
    files.push({ file, text, format, columns: {}, guessed: [] });
    yield* READERS[format as keyof typeof READERS](all, reading, file);
    return;
  }
  const columns = columnsFor(values, format, reading.named);
  const shown = Object.entries(columns).map(([name, path]) => [name, columnText(path)] as const);
  const guessed = shown.flatMap(([name]) => (reading.named.has(name as ColumnName) ? [] : [name]));
  const kind = format ?? (columns.messages === undefined ? 'rows' : 'messages');
  files.push({ file, text, format: kind, columns: Object.fromEntries(shown), guessed });
  yield* rowConversations(all, columns, reading, file);
}

/** The formats without columns. */
const READERS = {
  traces: tracedConversations,
  adk: adkConversations,
  'agents-cli': agentsCliConversations,
  atif: atifConversations,
  'openai-evals': openAiEvalsConversations,
  promptfoo: promptfooConversations,
};

function detected(values: readonly unknown[]): ImportFormat | null {
  if (values.some(isTraces)) return 'traces';
  if (values.some((one) => isAdkSession(one) || isAdkEvent(one))) return 'adk';
  if (values.some(isAtif)) return 'atif';
  if (values.some(isOpenAiEvals)) return 'openai-evals';
  if (values.some(isPromptfoo)) return 'promptfoo';
  return values.some(isAgentsCliCase) ? 'agents-cli' : null;
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

async function* chained<T>(first: readonly T[], rest: AsyncIterable<T>): AsyncGenerator<T> {
  yield* first;
  yield* rest;
}
