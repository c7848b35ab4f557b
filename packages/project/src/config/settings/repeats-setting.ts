/** Matches `auto` and `auto:MAX`. */
export const AUTO = /^auto(?::([1-9][0-9]*))?$/;

/** The maximum number of repeats for `auto` without a number. */
const MOST_BY_DEFAULT = 60;

/** Returns the maximum number of repeats of a value such as `auto:30`, or `undefined` for any other value. */
export function mostRepeats(value: unknown): number | undefined {
  const found = typeof value === 'string' ? AUTO.exec(value) : null;
  return found === null ? undefined : Number(found[1] ?? MOST_BY_DEFAULT);
}
