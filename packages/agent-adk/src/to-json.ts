import type { Json } from '@agent-criteria/core';

/** What a copy may leave out. Default: nothing. */
export interface JsonLimits {
  /** Characters of one text. */
  readonly text: number;
  /** Characters of the data of an image, a sound or a file inside a message. */
  readonly inlineData: number;
  /** Characters of the whole, as JSON. */
  readonly whole: number;
}

const UNLIMITED: JsonLimits = {
  text: Number.POSITIVE_INFINITY,
  inlineData: Number.POSITIVE_INFINITY,
  whole: Number.POSITIVE_INFINITY,
};
/** Deeper data is a mistake of somebody, or an attack. */
const DEEPEST = 200;

/**
 * A copy as plain JSON of what an agent, a tool or a model gave. What JSON does not know is left out as
 * `JSON.stringify` does it, or told in a text in its place: a cycle, a getter that throws, a text beyond the limits.
 */
export function toJson(value: unknown, limits: JsonLimits = UNLIMITED): Json {
  const json = copy(value, limits, new Set(), 0) ?? null;
  if (limits.whole === Number.POSITIVE_INFINITY) return json;
  const { length } = JSON.stringify(json);
  return length <= limits.whole ? json : `(left out: ${length} characters of JSON)`;
}

function copy(value: unknown, limits: JsonLimits, above: Set<object>, depth: number): Json | undefined {
  if (value === null || typeof value === 'boolean') return value;
  if (typeof value === 'string') return shorten(value, limits.text);
  // JSON has one zero.
  if (typeof value === 'number') return Number.isFinite(value) ? value || 0 : null;
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object') return undefined;
  if (above.has(value)) return '(left out: it holds itself)';
  if (depth > DEEPEST) return '(left out: nested too deeply)';
  above.add(value);
  try {
    return copyObject(value, limits, above, depth + 1);
  } catch (error) {
    return `(left out: reading it failed: ${error instanceof Error ? error.message : 'no error was given'})`;
  } finally {
    above.delete(value);
  }
}

function copyObject(value: object, limits: JsonLimits, above: Set<object>, depth: number): Json | undefined {
  if ('toJSON' in value && typeof value.toJSON === 'function') return copy(value.toJSON(), limits, above, depth);
  if (Array.isArray(value)) return value.map((item) => copy(item, limits, above, depth) ?? null);
  if (value instanceof Uint8Array) return `(left out: ${value.length} bytes)`;
  const entries = Object.entries(value).flatMap(([key, item]): [string, Json][] => {
    const copied =
      key === 'inlineData' && isInlineData(item)
        ? copy({ ...item, data: dataNote(item, limits.inlineData) }, limits, above, depth)
        : copy(item, limits, above, depth);
    return copied === undefined ? [] : [[key, copied]];
  });
  return Object.fromEntries(entries);
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
  return `(left out: ${data.length} characters of ${typeof mimeType === 'string' ? mimeType : 'data'})`;
}

function shorten(text: string, longest: number): string {
  if (text.length <= longest) return text;
  return `${text.slice(0, longest)} (left out: the rest of ${text.length} characters)`;
}
