import { CriteriaError } from '@agent-criteria/core';
import { parseJson, stringifyJson } from '@agent-criteria/formats';

/**
 * Copies plain JSON, dropping keys whose value is `undefined`. About ten times as fast as structuredClone for small
 * values.
 */
export function copyJson<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(copyJson) as T;
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(value)) {
    const item: unknown = (value as Record<string, unknown>)[key];
    if (item === undefined) continue;
    // A plain assignment would set the prototype.
    if (key === '__proto__') Object.defineProperty(copy, key, { value: copyJson(item), enumerable: true });
    else copy[key] = copyJson(item);
  }
  return copy as T;
}

/** Limits on what `isPlainJson` inspects, because a value may be circular. */
const MOST_OBJECTS = 10_000;
const DEEPEST = 50;

/**
 * Whether a value survives a JSON round trip unchanged, apart from keys whose value is `undefined`, which `copyJson`
 * drops. Such values consist of plain objects, arrays, strings and numbers that JSON can represent. Also `false` for
 * values that are too large to inspect. Much faster than serialising and parsing.
 */
export function isPlainJson(value: unknown): boolean {
  return isPlain(value, { left: MOST_OBJECTS }, 0);
}

function isPlain(value: unknown, budget: { left: number }, depth: number): boolean {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return true;
  if (typeof value === 'number') return Number.isFinite(value) && !Object.is(value, -0);
  if (typeof value !== 'object' || depth === DEEPEST || budget.left-- === 0 || 'toJSON' in value) return false;
  if (Array.isArray(value)) {
    for (const item of value) if (!isPlain(item, budget, depth + 1)) return false;
    return true;
  }
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return false;
  for (const key of Object.keys(value)) {
    const item = (value as Record<string, unknown>)[key];
    if (item !== undefined && !isPlain(item, budget, depth + 1)) return false;
  }
  return true;
}

/**
 * Copies a value from an agent as plain JSON, without loss. A value with a `toJSON` method is replaced by its result,
 * so a date becomes text. -0 becomes 0, and keys whose value is `undefined` are dropped.
 *
 * Rejects values that `JSON.stringify` would drop or replace with `null` or `{}`, because they could then equal an
 * expected `null` or `{}`: `NaN`, infinities, bigints, functions, symbols, `undefined` or holes in arrays, invalid
 * dates, circular values, and instances of classes such as Map, whose contents may not appear in the JSON.
 *
 * @param what Describes the value at the start of the error message.
 * @throws CriteriaError AGENT_FAILED with the path and the value.
 */
export function keepJson(value: unknown, what: string): unknown {
  const from = new Map<object, Place>();
  try {
    if (isPlainJson(value)) return copyJson(value);
    return parseJson(
      stringifyJson(value, function keep(this: object, key: string, item: unknown) {
        const place = { holder: this, key };
        const lost = lostIn(place, item, from);
        if (lost !== null) throw new Lost(`${pathOf(place, from)} is ${lost}`);
        if (typeof item === 'object' && item !== null) from.set(item, place);
        return item;
      }),
    );
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    const advice =
      cause instanceof Lost
        ? '; use strings, finite numbers, true, false, null, and arrays and plain objects of these'
        : '';
    throw new CriteriaError(
      { code: 'AGENT_FAILED', message: `${what} cannot be saved as JSON: ${why}${advice}` },
      { cause },
    );
  }
}

/** Thrown for a value that JSON cannot represent. */
class Lost extends Error {}

/** Where a value is located. */
interface Place {
  readonly holder: object;
  readonly key: string;
}

/** Describes a value that JSON cannot represent, or returns `null` for any other value. */
function lostIn({ holder, key }: Place, item: unknown, from: ReadonlyMap<object, Place>): string | null {
  // `item` is the result of `toJSON`, which may have returned nothing.
  const given: unknown = (holder as Readonly<Record<string, unknown>>)[key];
  switch (typeof item) {
    case 'number':
      return Number.isFinite(item) ? null : String(item);
    case 'bigint':
      return `the bigint ${item}n`;
    case 'function':
    case 'symbol':
      return `a ${typeof item}`;
    case 'undefined':
      if (given !== undefined) return silent(given);
      return Array.isArray(holder) || !from.has(holder) ? 'undefined' : null;
    case 'object':
      if (item === null) return given === null ? null : silent(given);
      if (!Array.isArray(item) && !isPlainObject(item)) return nameOf(item);
      return holds(item, holder, from) ? 'a circular value' : null;
    default:
      return null;
  }
}

/** Whether a value is a plain object of this realm or another one, such as a test runner's. */
function isPlainObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || (typeof prototype === 'object' && Object.getPrototypeOf(prototype) === null);
}

function silent(value: unknown): string {
  return value instanceof Date ? 'an invalid date' : `${nameOf(value)} whose toJSON returns nothing`;
}

function nameOf(value: unknown): string {
  const name: unknown = typeof value === 'object' ? value?.constructor?.name : undefined;
  if (typeof name !== 'string' || name === '') return `a ${typeof value}`;
  return `an instance of ${name}`;
}

/** Whether a value contains itself. */
function holds(item: object, holder: object, from: ReadonlyMap<object, Place>): boolean {
  for (let above: object | undefined = holder; above !== undefined; above = from.get(above)?.holder) {
    if (above === item) return true;
  }
  return false;
}

function pathOf({ holder, key }: Place, from: ReadonlyMap<object, Place>): string {
  const steps: string[] = [];
  let place: Place | undefined = { holder, key };
  while (place !== undefined) {
    const above = from.get(place.holder);
    // The outermost holder is the wrapper that JSON.stringify adds.
    if (above === undefined) break;
    steps.unshift(step(place));
    place = above;
  }
  return steps.join('').replace(/^\./, '') || 'it';
}

function step({ holder, key }: Place): string {
  if (Array.isArray(holder)) return `[${key}]`;
  return /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(key) ? `.${key}` : `[${stringifyJson(key)}]`;
}
