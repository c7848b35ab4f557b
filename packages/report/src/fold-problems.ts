import type { Problem } from '@agent-criteria/core';
import { groupBy } from '@agent-criteria/results';

/** How many places a problem names. */
const PLACES_SHOWN = 3;

/** What is wrong outside of the file that names it: it is put right once, however many places need it. */
const OUTSIDE: ReadonlySet<string> = new Set(['MISSING_ENVIRONMENT', 'UNKNOWN_MODEL']);

/**
 * Problems that say the same of a key or a model are one, with the places of all: what is missing is missing for every criterion.
 * Mistakes of a file stay one each, since each place has to be changed.
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
