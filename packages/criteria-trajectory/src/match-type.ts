/**
 * How the actual calls are compared with the expected ones.
 *
 * - `EXACT`: the same calls in the same order, and no others.
 * - `IN_ORDER`: all expected calls, in order; others may come in between.
 * - `ANY_ORDER`: all expected calls, each as often as expected, in any order; others may come in between.
 */
export type MatchType = 'EXACT' | 'IN_ORDER' | 'ANY_ORDER';

/** The match types in the order of their numbers in ADK: 0, 1, 2. */
export const matchTypes = ['EXACT', 'IN_ORDER', 'ANY_ORDER'] as const satisfies readonly MatchType[];

/**
 * White space as in Python's `strip`, which unlike JavaScript's includes U+001C to U+001F and U+0085, but not U+FEFF.
 */
const STRIPPED = /^(?!\ufeff)\s$/;
const ALSO_STRIPPED = '\x1c\x1d\x1e\x1f\x85';

/**
 * Reads a match type as ADK does: a name in any case, with `-` or a space for `_`, optionally surrounded by space, or
 * its number. `true` and `false` are the numbers 1 and 0, as in Python. Returns `null` for anything else.
 */
export function parseMatchType(value: unknown): MatchType | null {
  if (typeof value === 'string') {
    const name = stripped(value).toUpperCase().replace(/[- ]/g, '_');
    return matchTypes.find((type) => type === name) ?? null;
  }
  if (typeof value === 'boolean' || typeof value === 'number') return matchTypes[Number(value)] ?? null;
  return null;
}

function stripped(text: string): string {
  const isSpace = (character: string) => STRIPPED.test(character) || ALSO_STRIPPED.includes(character);
  const characters = [...text];
  const start = characters.findIndex((character) => !isSpace(character));
  const end = characters.findLastIndex((character) => !isSpace(character));
  return start === -1 ? '' : characters.slice(start, end + 1).join('');
}
