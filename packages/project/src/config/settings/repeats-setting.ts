/** `auto` or `auto:MAX`. */
export const AUTO = /^auto(?::([1-9][0-9]*))?$/;

/** How often a case runs at most where only `auto` is written. */
const MOST_BY_DEFAULT = 60;

/** The most repeats of a text like `auto:30`; `undefined`: it is another value. */
export function mostRepeats(value: unknown): number | undefined {
  const found = typeof value === 'string' ? AUTO.exec(value) : null;
  return found === null ? undefined : Number(found[1] ?? MOST_BY_DEFAULT);
}
