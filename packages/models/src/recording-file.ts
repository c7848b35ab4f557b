import { closeSync, fstatSync, ftruncateSync, openSync, readSync, truncateSync, writeSync } from 'node:fs';
import { mkdir, readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { writeUserFile } from '@agent-criteria/calls';
import { CriteriaError, type Json } from '@agent-criteria/core';
import { isObject, parseJson, stringifyJson } from '@agent-criteria/formats';
import { modelAnswers } from './answers.ts';
import { canonicalJson } from './call-key.ts';

/** The file's format version. Newer ones are rejected. */
const FORMAT = 1;
const TYPE = 'agent-criteria-recording';

/** A recorded answer and its call, readable for people who look at the file or its diffs. */
export interface RecordedAnswer {
  readonly key: string;
  readonly kind: 'model' | 'service';
  readonly to: string;
  readonly by: string;
  readonly setId: string;
  readonly caseId: string;
  readonly repeat: number;
  /** The turn, from 0, or `null` for a whole conversation. */
  readonly turn: number | null;
  readonly sample: number;
  readonly answer: Json;
}

export interface RecordingContent {
  /** The file's label, such as "a scripted judge". */
  readonly label: string | null;
  /** The answers, in file order. The last one for a key wins. */
  readonly answers: readonly RecordedAnswer[];
  /** The number of bytes up to the end of the last complete line. */
  readonly size: number;
  /** Whether an incomplete line follows, for instance after a crash. */
  readonly torn: boolean;
}

/**
 * @returns `null` if the file is missing or empty.
 * @throws CriteriaError RECORDING_UNREADABLE with file and line if the file is damaged, too new, or not a recording.
 */
export async function readRecording(file: string): Promise<RecordingContent | null> {
  const text = await textOf(file);
  if (text === null || text === '') return null;
  const end = text.lastIndexOf('\n') + 1;
  const lines = text.slice(0, end).split('\n').slice(0, -1);
  const rest = text.slice(end);
  // An editor may have removed the last line break, so the line may be complete.
  const torn = rest !== '' && tryParse(rest) === undefined;
  if (rest !== '' && !torn) lines.push(rest);
  const [head = '', ...others] = lines;
  const label = labelOf(file, head);
  const answers = new Map<string, RecordedAnswer>();
  others.forEach((line, index) => {
    if (line.trim() === '') return;
    const answer = answerOf(file, line, index + 2);
    answers.set(answer.key, answer);
  });
  return { label, answers: [...answers.values()], size: Buffer.byteLength(torn ? text.slice(0, end) : text), torn };
}

async function textOf(file: string): Promise<string | null> {
  try {
    // Reading from a pipe would block forever.
    if (!(await stat(file)).isFile()) throw new Error('it is not a regular file');
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw unreadable(file, null, `it cannot be read: ${(error as Error).message}`);
  }
}

function tryParse(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

function labelOf(file: string, line: string): string | null {
  // Some Windows editors put a byte order mark at the start.
  const head = tryParse(line.startsWith('\ufeff') ? line.slice(1) : line);
  if (!isObject(head) || head.type !== TYPE) throw unreadable(file, 1, 'this is not a recording');
  if (head.format !== FORMAT) {
    const message = `this recording has format ${stringifyJson(head.format)}, but only format ${FORMAT} is supported; update agent-criteria`;
    throw unreadable(file, 1, message);
  }
  return typeof head.label === 'string' ? head.label : null;
}

function answerOf(file: string, line: string, number: number): RecordedAnswer {
  const value = tryParse(line);
  if (value === undefined)
    throw unreadable(file, number, 'this line is not JSON: it is damaged, or left over from a merge');
  if (!isRecordedAnswer(value)) throw unreadable(file, number, 'this line is not a recorded answer');
  return value;
}

function isRecordedAnswer(value: unknown): value is RecordedAnswer {
  if (!isObject(value)) return false;
  const { key, kind, to, by, setId, caseId, repeat, turn, sample, answer } = value;
  const texts = [to, by, setId, caseId].every((text) => typeof text === 'string');
  const counts = [repeat, turn ?? 0, sample].every((count) => Number.isInteger(count));
  if (typeof key !== 'string' || !/^[0-9a-f]{64}$/.test(key) || !texts || !counts || answer === undefined) return false;
  return kind === 'service' || (kind === 'model' && modelAnswers.unpack(answer as Json) !== null);
}

function unreadable(file: string, line: number | null, message: string): CriteriaError {
  const place = line === null ? {} : { path: `line ${line}` };
  return new CriteriaError({
    code: 'RECORDING_UNREADABLE',
    file,
    ...place,
    message: `${message}; restore the file from a copy, or delete it and record again`,
  });
}

/** Opens a recording for appending, and removes an incomplete last line. Creates the file and its folder if needed. */
export async function openRecordingWriter(file: string, content: RecordingContent | null, label: string | null) {
  let descriptor: number;
  try {
    if (content === null) {
      await mkdir(dirname(file), { recursive: true });
      writeRecording(file, label, []);
    }
    if (content?.torn) truncateSync(file, content.size);
    // In append mode, lines that another run writes in the meantime are not overwritten.
    descriptor = openSync(file, 'a+');
    if (content !== null) endLine(descriptor, content.size);
  } catch (error) {
    throw writeFailed(file, error);
  }
  let closed = false;
  return {
    /** Appends a complete line. @throws CriteriaError WRITE_FAILED, leaving the file unchanged. */
    append(answer: RecordedAnswer): void {
      // A closed file's descriptor may belong to another file by now.
      if (closed) throw writeFailed(file, new Error('it is closed'));
      const { size } = fstatSync(descriptor);
      try {
        writeAll(descriptor, Buffer.from(lineOf(answer)));
      } catch (error) {
        cut(descriptor, size);
        throw writeFailed(file, error);
      }
    },
    close(): void {
      closed = true;
      closeSync(descriptor);
    },
  };
}

/** Adds the line break that the last line lacks. */
function endLine(descriptor: number, size: number): void {
  const last = Buffer.alloc(1);
  readSync(descriptor, last, 0, 1, size - 1);
  if (last.toString() !== '\n') writeSync(descriptor, '\n');
}

function cut(descriptor: number, size: number): void {
  try {
    ftruncateSync(descriptor, size);
  } catch {
    // The rest of the line is removed when the file is next opened.
  }
}

function writeAll(descriptor: number, bytes: Buffer): void {
  for (let written = 0; written < bytes.length; ) written += writeSync(descriptor, bytes, written);
}

/** Writes the whole file or leaves it unchanged. Lines are in case order. */
export function writeRecording(file: string, label: string | null, answers: readonly RecordedAnswer[]): void {
  const head = stringifyJson({ type: TYPE, format: FORMAT, ...(label === null ? {} : { label }) });
  const text = `${head}\n${[...answers].sort(inOrder).map(lineOf).join('')}`;
  try {
    writeUserFile(file, text, { flush: true });
  } catch (error) {
    throw writeFailed(file, error);
  }
}

/** Orders answers by caller, then by request, so that every run writes the same order. */
export function inOrder(a: RecordedAnswer, b: RecordedAnswer): number {
  const others = partsOf(b);
  for (const [index, part] of partsOf(a).entries()) {
    const other = others[index] as string | number;
    if (part !== other) return part < other ? -1 : 1;
  }
  return 0;
}

function partsOf({ setId, caseId, repeat, by, turn, sample, to, key }: RecordedAnswer): readonly (string | number)[] {
  return [setId, caseId, repeat, by, turn ?? -1, sample, to, key];
}

function lineOf({ key, kind, to, by, setId, caseId, repeat, turn, sample, answer }: RecordedAnswer): string {
  const place = stringifyJson({ setId, caseId, repeat, by, turn, sample, to, kind, key });
  return `${place.slice(0, -1)},"answer":${canonicalJson(answer)}}\n`;
}

function writeFailed(file: string, error: unknown): CriteriaError {
  if (CriteriaError.is(error)) return error;
  const message = `the recording cannot be written: ${(error as Error).message}`;
  return new CriteriaError({ code: 'WRITE_FAILED', file, message }, { cause: error });
}
