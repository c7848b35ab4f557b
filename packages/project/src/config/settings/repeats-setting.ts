/** The form of `auto` and `auto:MAX`. */
export const AUTO = /^auto(?::([1-9][0-9]*))?$/;

/** The largest number of repeats of `auto` without a number. */
const MOST_BY_DEFAULT = 60;

/** Returns the largest number of repeats of a text such as `auto:30`, or `undefined` for any other value. */
export function mostRepeats(value: unknown): number | undefined {
  const found = typeof value === 'string' ? AUTO.exec(value) : null;
  return found === null ? undefined : Number(found[1] ?? MOST_BY_DEFAULT);
}
