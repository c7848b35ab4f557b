import type { Json } from '@agent-criteria/core';
import { secretMask } from '@agent-criteria/masking';

/** Limits for a copy. Default: none. */
export interface JsonLimits {
  /** The maximum length of one string, in characters. */
  readonly text: number;
  /** The maximum length of the data of an image, sound or file in a message, in characters. */
  readonly inlineData: number;
  /** The maximum length of the whole value as JSON, in characters. */
  readonly whole: number;
}

const UNLIMITED: JsonLimits = {
  text: Number.POSITIVE_INFINITY,
  inlineData: Number.POSITIVE_INFINITY,
  whole: Number.POSITIVE_INFINITY,
};
/** The maximum nesting depth; deeper data is a bug or an attack. */
const DEEPEST = 200;

/**
 * Copies a value from an agent, a tool or a model as plain JSON. A `toJSON` method is called, a bigint becomes its
 * digits, and a key whose value is `undefined` is dropped, as in ADK's own events.
 *
 * A value that JSON would drop, or turn into `null` or `{}`, is replaced by a string such as `(left out: NaN)`, so that
 * it can neither equal an expected `null` or `{}` nor break the turn in which a tool returned it. This applies to
 * `NaN`, infinities, functions, symbols, `undefined` in a list, a Map, a class instance without fields, a cycle, a
 * getter that throws, and strings over the limits. The key `__proto__`, which all readers reject, is renamed.
 */
export function toJson(value: unknown, limits: JsonLimits = UNLIMITED): Json {
  const json = copy(value, limits, new Set(), 0) ?? null;
  if (limits.whole === Number.POSITIVE_INFINITY) return json;
  const { length } = JSON.stringify(json);
  return length <= limits.whole ? json : leftOut(`${length} characters of JSON`);
}

function copy(value: unknown, limits: JsonLimits, above: Set<object>, depth: number): Json | undefined {
  if (value === null || typeof value === 'boolean') return value;
  if (typeof value === 'string') return shorten(value, limits.text);
  // JSON does not distinguish -0 from 0.
  if (typeof value === 'number') return Number.isFinite(value) ? value || 0 : leftOut(String(value));
  if (typeof value === 'bigint') return String(value);
  if (value === undefined) return undefined;
  if (typeof value !== 'object') return leftOut(`a ${typeof value}`);
  if (above.has(value)) return leftOut('it is circular');
  if (depth > DEEPEST) return leftOut('nested too deeply');
  above.add(value);
  try {
    return copyObject(value, limits, above, depth + 1);
  } catch (error) {
    return leftOut(`reading it failed: ${error instanceof Error ? error.message : 'no error was given'}`);
  } finally {
    above.delete(value);
  }
}

function copyObject(value: object, limits: JsonLimits, above: Set<object>, depth: number): Json | undefined {
  if ('toJSON' in value && typeof value.toJSON === 'function') {
    const made: unknown = value.toJSON();
    return made === undefined || made === null ? leftOut(nameOf(value)) : copy(made, limits, above, depth);
  }
  if (Array.isArray(value))
    return Array.from(value, (item) =>
      item === undefined ? leftOut('undefined') : (copy(item, limits, above, depth) ?? null),
    );
  if (value instanceof Uint8Array) return leftOut(`${value.length} bytes`);
  if (value instanceof Error) return leftOut(String(value));
  if (!isPlainObject(value) && Object.keys(value).length === 0) return leftOut(nameOf(value));
  const entries = Object.entries(value).flatMap(([key, item]): [string, Json][] => {
    const copied =
      key === 'inlineData' && isInlineData(item)
        ? copy({ ...item, data: dataNote(item, limits.inlineData) }, limits, above, depth)
        : copy(item, limits, above, depth);
    return copied === undefined ? [] : [[key === '__proto__' ? RENAMED : key, copied]];
  });
  return Object.fromEntries(entries);
}

/** Whether a value is a plain object, of this realm or another. */
function isPlainObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || (typeof prototype === 'object' && Object.getPrototypeOf(prototype) === null);
}

function nameOf(value: object): string {
  const { name }: { readonly name?: unknown } = value.constructor ?? {};
  return typeof name === 'string' && name !== '' ? `an instance of ${name}` : 'an object';
}

const RENAMED = '(renamed: __proto__)';

function leftOut(what: string): string {
  return `(left out: ${what})`;
}

interface InlineData {
  readonly data: string;
  readonly mimeType?: unknown;
}

function isInlineData(value: unknown): value is InlineData {
  return typeof value === 'object' && value !== null && 'data' in value && typeof value.data === 'string';
}

function dataNote({ data, mimeType }: InlineData, longest: number): string {
  if (data.length <= longest) return data;
  return leftOut(`${data.length} characters of ${typeof mimeType === 'string' ? mimeType : 'data'}`);
}

function shorten(text: string, longest: number): string {
  if (text.length <= longest) return text;
  // Masks before truncating, because half a key would not be recognised.
  const safe = secretMask({ environment: process.env }).text(text);
  return `${safe.slice(0, longest)} ${leftOut(`the rest of ${text.length} characters`)}`;
}
