import type { Problem } from '@agent-criteria/core';
import { formatProblem } from '@agent-criteria/formats';
import { safe, safeLines } from './terminal.ts';

/** A problem, safe to print: its place on one line, and of a message of several lines all but the first moved right. */
export function problemText({ code, message, file, path }: Problem): string {
  const place = formatProblem({
    code,
    message: '',
    file: file === undefined ? undefined : safe(file),
    path: path === undefined ? undefined : safe(path),
  });
  return `${place}${safeLines(message, 4)}`;
}
