import type { Problem } from '@agent-criteria/core';
import { formatProblem } from '@agent-criteria/formats';
import { safe, safeLines } from './terminal.ts';

/** Formats a problem for printing: its place on one line, and further lines of its message indented. */
export function problemText({ code, message, file, path }: Problem): string {
  const place = formatProblem({
    code,
    message: '',
    file: file === undefined ? undefined : safe(file),
    path: path === undefined ? undefined : safe(path),
  });
  return `${place}${safeLines(message, 4)}`;
}
