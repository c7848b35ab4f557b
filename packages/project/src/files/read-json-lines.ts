import { open } from 'node:fs/promises';
import { CriteriaError, type Problem } from '@agent-criteria/core';
import { parseJsonText } from './parse-json-text.ts';
import { decodeUtf8, fileProblem, MAX_FILE_BYTES, refusePipe, tooLarge } from './read-json-file.ts';

/** A line that is not blank. */
export interface JsonLine {
  /** Counted from 1. */
  readonly line: number;
  readonly value: unknown;
}

export interface JsonLines {
  readonly lines: readonly JsonLine[];
  readonly warnings: readonly Problem[];
}

/** A file in which more lines than this are broken is probably no JSON Lines at all. */
const MOST_BROKEN = 50;
const NEWLINE = 0x0a;
const RETURN = 0x0d;

/**
 * Reads a file of JSON Lines: one value a line; blank lines are left out. The limit holds for a line, not for the file.
 * @throws CriteriaError as `readJsonFile` does, naming each broken line.
 */
export async function readJsonLines(file: string, maxBytes: number = MAX_FILE_BYTES): Promise<JsonLines> {
  const lines: JsonLine[] = [];
  const warnings: Problem[] = [];
  const problems: Problem[] = [];
  try {
    for await (const { line, text } of textLines(file, maxBytes)) {
      if (text.trim() === '') continue;
      try {
        const read = parseJsonText(text, file);
        lines.push({ line, value: read.value });
        for (const warning of read.warnings) warnings.push(inLine(warning, line));
      } catch (error) {
        if (!CriteriaError.is(error)) throw error;
        problems.push(...error.problems.map((problem) => inLine(problem, line)));
        if (lines.length === 0 && /^[[{]\s*$/.test(text)) throw wholeValue(file, line, text.trim());
        if (problems.length >= MOST_BROKEN) break;
      }
    }
  } catch (error) {
    throw CriteriaError.is(error) ? error : new CriteriaError(fileProblem(file, error), { cause: error });
  }
  if (problems.length > 0) throw new CriteriaError(problems);
  return { lines, warnings: oneNoteOfSpelling(warnings) };
}

function wholeValue(file: string, line: number, bracket: string): CriteriaError {
  const message = `the line is only ${bracket}, so this looks like one JSON value over several lines: rename the file to .json, or write one case per line`;
  return new CriteriaError({ code: 'NOT_JSON', file, path: `line ${line}`, message });
}

/** Adds the line to a problem. */
function inLine(problem: Problem, line: number): Problem {
  const message = problem.message
    .replace('line 1, column', 'column')
    .replace(/\bthe file (?=has|ends|goes)/, 'the line ');
  return { ...problem, message, path: problem.path === undefined ? `line ${line}` : `line ${line} ${problem.path}` };
}

/** Reports comments and trailing commas once for a file. */
function oneNoteOfSpelling(warnings: readonly Problem[]): readonly Problem[] {
  const first = warnings.find(({ code }) => code === 'NOT_JSON');
  const message =
    'the line has comments or trailing commas: agent-criteria accepts them, but JSON Lines does not allow them';
  return warnings.flatMap((warning) => {
    if (warning.code !== 'NOT_JSON') return [warning];
    return warning === first ? [{ ...warning, message }] : [];
  });
}

async function* textLines(file: string, maxBytes: number): AsyncGenerator<{ line: number; text: string }> {
  await refusePipe(file);
  const handle = await open(file, 'r');
  try {
    if ((await handle.stat()).isDirectory())
      throw new CriteriaError({ code: 'FILE_UNREADABLE', file, message: 'this is a folder; name a file in it' });
    let line = 1;
    let pending: Buffer[] = [];
    let size = 0;
    const take = (rest: Buffer): { line: number; text: string } => {
      const bytes = pending.length === 0 ? rest : Buffer.concat([...pending, rest]);
      pending = [];
      size = 0;
      const end = bytes.at(-1) === RETURN ? bytes.length - 1 : bytes.length;
      return { line, text: decodeUtf8(file, bytes.subarray(0, end), `line ${line++}`) };
    };
    for await (const chunk of handle.createReadStream({ autoClose: false }) as AsyncIterable<Buffer>) {
      let from = 0;
      for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, from)) {
        if (size + end - from > maxBytes) throw tooLarge(file, 'more than', maxBytes, line);
        yield take(chunk.subarray(from, end));
        from = end + 1;
      }
      if (from === chunk.length) continue;
      size += chunk.length - from;
      if (size > maxBytes) throw tooLarge(file, 'more than', maxBytes, line);
      pending.push(chunk.subarray(from));
    }
    if (pending.length > 0) yield take(Buffer.alloc(0));
  } finally {
    await handle.close();
  }
}
