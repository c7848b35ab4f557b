import { isObject } from './is-object.ts';
import type { Tolerance } from './rows.ts';

/** Strings for numbers that JSON cannot represent. */
const SPECIAL = ['NaN', 'Infinity', '-Infinity'];

/**
 * Returns the path to the first difference between an output and the expected one, such as `$.per_invocation[1].score`,
 * or `null` if there is none. The order of keys does not matter. Numbers are equal if they are the same double, or, with
 * a tolerance, close enough; an output compared with a tolerance may have more keys than expected. -0 equals 0.
 */
export function differenceOf(output: unknown, expected: unknown, tolerance?: Tolerance, path = '$'): string | null {
  if (Array.isArray(expected)) {
    if (!Array.isArray(output)) return path;
    if (output.length !== expected.length) return `${path}.length`;
    return first(expected.map((one, index) => () => differenceOf(output[index], one, tolerance, `${path}[${index}]`)));
  }
  if (isObject(expected)) {
    if (!isObject(output)) return path;
    const extra =
      tolerance === undefined ? Object.keys(output).find((key) => !Object.hasOwn(expected, key)) : undefined;
    if (extra !== undefined) return `${path}.${extra}`;
    const within = (key: string) => (tolerance !== undefined && COUNTS.includes(key) ? EXACT : tolerance);
    return first(
      Object.entries(expected).map(([key, one]) => () => {
        if (!Object.hasOwn(output, key)) return `${path}.${key}`;
        return differenceOf(output[key], one, within(key), `${path}.${key}`);
      }),
    );
  }
  return isSame(output, expected, tolerance) ? null : path;
}

const EXACT: Tolerance = { relative: 0, absolute: 0 };
/** Fields that count something, to which no tolerance applies. */
const COUNTS = ['cases', 'clusters', 'df', 'n', 'repeats'];

function isSame(output: unknown, expected: unknown, tolerance: Tolerance | undefined): boolean {
  if (output === expected) return true;
  if (tolerance === undefined) return false;
  const [got, wanted] = [output, expected].map((value) => (SPECIAL.includes(String(value)) ? Number(value) : value));
  if (typeof got !== 'number' || typeof wanted !== 'number') return false;
  if (!Number.isFinite(got) || !Number.isFinite(wanted)) return Object.is(got, wanted);
  return Math.abs(got - wanted) <= Math.max(tolerance.relative * Math.abs(wanted), tolerance.absolute);
}

function first(differences: readonly (() => string | null)[]): string | null {
  for (const difference of differences) {
    const found = difference();
    if (found !== null) return found;
  }
  return null;
}
