import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { isObject } from './is-object.ts';

/** A question for a port, with the answer that ADK Python gives, or that was computed independently. */
export interface Row {
  /** Unique: the file, and the row in it, such as `trajectory/tr-0652`. */
  readonly id: string;
  /** The kind of question, which determines the shapes of input and output: see the README. */
  readonly kind: string;
  readonly input: unknown;
  readonly expected: Expected;
  /** How far numbers may differ: relative to themselves, and absolutely. Default: not at all. */
  readonly tolerance?: Tolerance | undefined;
}

/** The expected output, or an error, whose text does not matter. */
export type Expected = { readonly output: unknown } | { readonly error: true };

export interface Tolerance {
  readonly relative: number;
  readonly absolute: number;
}

// By its name, because this file may be bundled into another one.
const root = pathToFileURL(createRequire(import.meta.url).resolve('@agent-criteria/conformance/package.json'));
const rowsFolder = new URL('./rows/', root);
const filesFolder = new URL('./files/', root);

/** Reads all rows, in a stable order. */
export function readRows(): readonly Row[] {
  return [...FILES.flatMap(([file, kind, read]) => rowsOf(file, kind, read)), ...statisticsRows(), ...fileRows()];
}

type Raw = Readonly<Record<string, unknown>>;
type Reader = (row: Raw) => Pick<Row, 'input' | 'expected'> & { readonly kind?: string };

/** The keys of a row that are neither input nor output. */
const NOTES = ['id', 'category', 'notes', 'why', 'verified', 'legacy_zip_truncating_result'];

/** Reads a row whose output is these keys, and whose input is all others. */
function withOutput(...keys: readonly string[]): Reader {
  return (row) => {
    const rest = Object.entries(row).filter(([key]) => !NOTES.includes(key) && !keys.includes(key) && key !== 'error');
    const output = Object.fromEntries(keys.map((key) => [key, row[key]]));
    return { input: Object.fromEntries(rest), expected: 'error' in row ? { error: true } : { output } };
  };
}

const pair = withOutput('precision', 'recall', 'fmeasure');
const evaluation = withOutput('overall_score', 'overall_status', 'per_invocation');

const FILES: readonly (readonly [file: string, kind: string, read: Reader])[] = [
  ['rouge1.public.jsonl', 'rouge1', pair],
  ['rouge2.public.jsonl', 'rouge2', pair],
  ['rougeL.public.jsonl', 'rougeL', pair],
  ['rouge1-default-tokenizer.public.jsonl', 'rouge1_default_tokenizer', pair],
  ['rouge-tokens.public.jsonl', 'rouge_tokens', withOutput('tokens_stemmed', 'tokens_unstemmed')],
  ['stems.public.json', 'stem', ({ word, stem }) => ({ input: { word }, expected: { output: stem } })],
  ['rouge-evaluator.public.jsonl', 'response_match_score', evaluation],
  ['trajectory.public.jsonl', 'tool_trajectory_avg_score', evaluation],
  ['tool-parameter-match.public.jsonl', 'tool_parameter_match', evaluation],
  ['judge-parse.public.jsonl', 'judge', ({ fn, input, output }) => judged(String(fn), input, output)],
  ['judge-vectors.public.json', 'judge', ({ area, input, expected }) => judged(String(area), input, expected)],
];

function judged(name: string, input: unknown, output: unknown): ReturnType<Reader> {
  const isError =
    isObject(output) && ('__error__' in output || (Object.keys(output).length === 1 && 'error' in output));
  return { kind: `judge/${name}`, input, expected: isError ? { error: true } : { output } };
}

function rowsOf(file: string, kind: string, read: Reader): readonly Row[] {
  const name = file.split('.')[0];
  return rawRows(new URL(file, rowsFolder)).map((row, index) => ({
    id: `${name}/${String(row.id ?? index + 1)}`,
    kind,
    ...read(row),
  }));
}

/** Reads the rows of a JSONL file, of a JSON list, or of a JSON object of words and stems. */
function rawRows(file: URL): readonly Raw[] {
  const text = readFileSync(file, 'utf8');
  if (file.pathname.endsWith('.jsonl'))
    return text
      .trimEnd()
      .split('\n')
      .map((line): Raw => JSON.parse(line));
  const whole: readonly Raw[] | Readonly<Record<string, string>> = JSON.parse(text);
  if (isList(whole)) return whole;
  return Object.entries(whole).map(([word, stem]) => ({ id: word, word, stem }));
}

function isList(whole: readonly Raw[] | Readonly<Record<string, string>>): whole is readonly Raw[] {
  return Array.isArray(whole);
}

/** Numbers that were computed with 50 digits agree up to rounding. */
const ROUNDING: Tolerance = { relative: 1e-12, absolute: 0 };

function statisticsRows(): readonly Row[] {
  const folder = new URL('statistics/', rowsFolder);
  const files = readdirSync(folder)
    .filter((file) => file.endsWith('.jsonl'))
    .toSorted();
  return files.flatMap((file) =>
    rawRows(new URL(file, folder)).map((row): Row => {
      const { id, fn, input, expected, tol = ROUNDING.relative, atol = ROUNDING.absolute } = row;
      return {
        id: `statistics/${String(id)}`,
        kind: `statistics/${String(fn)}`,
        input,
        expected: isObject(expected) && 'error' in expected ? { error: true } : { output: expected },
        tolerance: { relative: Number(tol), absolute: Number(atol) },
      };
    }),
  );
}

interface FileEntry {
  readonly file: string;
  readonly kind: string;
  /** The file with the expected output. Default: the file itself. */
  readonly written?: string;
  readonly initial_session?: string;
  readonly id?: string;
}

function fileRows(): readonly Row[] {
  const textOf = (file: string) => readFileSync(new URL(file, filesFolder), 'utf8');
  const entries: readonly FileEntry[] = JSON.parse(textOf('index.json'));
  return entries.map(({ file, kind, written = file, initial_session: session, id }) => ({
    id: `files/${file}`,
    kind,
    input: {
      text: textOf(file),
      ...(session === undefined ? {} : { initial_session: JSON.parse(textOf(session)) }),
      ...(id === undefined ? {} : { id }),
    },
    expected: { output: JSON.parse(textOf(written)) },
  }));
}
