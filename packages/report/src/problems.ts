import type { Problem } from '@agent-criteria/core';
import { formatProblem } from '@agent-criteria/formats';
import { groupBy } from '@agent-criteria/results';
import { safe, safeLines } from './terminal.ts';

/** The maximum number of locations named for a problem. */
const PLACES_SHOWN = 3;

/**
 * Codes of problems whose cause lies outside the file that they name. They need fixing only once, however many
 * locations there are.
 */
const OUTSIDE: ReadonlySet<string> = new Set(['MISSING_ENVIRONMENT', 'UNKNOWN_MODEL']);

/**
 * Merges problems with the same cause, such as a missing key, into one that lists all locations. Mistakes in a file
 * stay separate, because each needs fixing.
 */
export function foldProblems(problems: readonly Problem[]): readonly Problem[] {
  const groups = groupBy(problems, ({ code, message, file, path }) =>
    JSON.stringify(OUTSIDE.has(code) ? [code, message, file] : [code, message, file, path]),
  );
  return [...groups.values()].flatMap(([first, ...others]) => {
    if (first === undefined) return [];
    const paths = new Set([first, ...others].flatMap(({ path }) => (path === undefined ? [] : [path])));
    if (paths.size <= 1) return [first];
    const shown = [...paths].slice(0, PLACES_SHOWN).join(', ');
    const more = paths.size - PLACES_SHOWN;
    return [{ ...first, path: more > 0 ? `${shown} and ${more} more` : shown }];
  });
}

/** Formats a problem for printing, with its location first and further lines of its message indented. */
export function problemText({ code, message, file, path }: Problem): string {
  const place = formatProblem({
    code,
    message: '',
    file: file === undefined ? undefined : safe(file),
    path: path === undefined ? undefined : safe(path),
  });
  return `${place}${safeLines(message, 4)}`;
}
