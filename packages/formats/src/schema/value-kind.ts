import { isObject } from '../json.ts';

// Kinds of values as bits, because examining a value once is faster than once for each type of each alternative.

const TEXT = 1;
const FLAG = 2;
const NULL = 4;
const WHOLE = 8;
const NUMBER = 16;
export const LIST = 32;
/** A plain object. */
export const OBJECT = 64;
/** A value that JSON cannot represent. */
export const OTHER = 128;
const ANY = 255;

const KINDS: Readonly<Record<string, number>> = {
  string: TEXT,
  boolean: FLAG,
  null: NULL,
  integer: WHOLE,
  number: WHOLE | NUMBER,
  array: LIST,
  object: OBJECT,
};

/** Returns the kinds allowed by a JSON Schema's `type`, or all kinds if it is missing. */
export function kindsOfType(type: unknown): number {
  if (type === undefined) return ANY;
  const types: readonly unknown[] = Array.isArray(type) ? type : [type];
  return types.reduce((kinds: number, one) => kinds | (KINDS[String(one)] ?? 0), 0);
}

/** Returns a value's kind, as one bit. */
export function kindOf(value: unknown): number {
  switch (typeof value) {
    case 'string':
      return TEXT;
    case 'boolean':
      return FLAG;
    case 'number':
      return Number.isInteger(value) ? WHOLE : Number.isFinite(value) ? NUMBER : OTHER;
    case 'object':
      if (value === null) return NULL;
      if (Array.isArray(value)) return LIST;
      return isPlainObject(value) ? OBJECT : OTHER;
    default:
      return OTHER;
  }
}

/**
 * Tells whether a value is a plain object: not an array, a Date, a Map or another object that JSON cannot represent.
 */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  return isObject(value) && Object.prototype.toString.call(value) === '[object Object]';
}
