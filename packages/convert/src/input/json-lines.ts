import { CriteriaError } from '@agent-criteria/core';
import { parseJsonText } from '@agent-criteria/project/files';
import type { ReadRecord } from './source-record.ts';
import { textLines } from './text-lines.ts';

/** Reads JSON Lines: one value per line. Blank lines are skipped. */
export async function* jsonLines(pieces: AsyncIterable<string>, file: string): AsyncGenerator<ReadRecord> {
  for await (const { text, line } of textLines(pieces, file)) {
    if (text.trim() !== '') yield jsonRecord(text, file, line);
  }
}

/** Parses one value that begins at a line of the file. */
export function jsonRecord(text: string, file: string, line: number): ReadRecord {
  try {
    return { value: parseJsonText(text, file).value, line };
  } catch (error) {
    if (!CriteriaError.is(error)) throw error;
    const problems = error.problems.map((problem) => ({
      ...problem,
      path: `line ${line}`,
      message: inFile(problem.message, line),
    }));
    return { problems, line };
  }
}

/** Changes places within the value to places within the file. */
function inFile(message: string, first: number): string {
  return message.replace(/\bline (\d+), column/g, (_, line: string) => {
    const within = Number(line);
    return within === 1 ? 'column' : `line ${first + within - 1}, column`;
  });
}
