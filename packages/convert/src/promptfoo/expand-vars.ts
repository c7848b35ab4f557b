import type { Fields } from '../fields.ts';

/** More combinations than this of the values of one test are not made. */
const MOST = 10_000;

/**
 * Lists the combinations of variables that have several values. A variable whose value is a list takes each of them.
 *
 * @returns `null` if there are more than 10,000.
 */
export function expandVars(vars: Fields): readonly Fields[] | null {
  let all: readonly (readonly (readonly [string, unknown])[])[] = [[]];
  for (const [name, value] of Object.entries(vars)) {
    const values = Array.isArray(value) ? value : [value];
    if (all.length * values.length > MOST) return null;
    all = all.flatMap((before) => values.map((one) => [...before, [name, one] as const]));
  }
  return all.map((entries) => Object.fromEntries(entries));
}
