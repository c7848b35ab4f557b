import { isObject } from '../json.ts';

// Kinds of values, as bits: looking at a value once is quicker than once for each type of each form that it may have.

const TEXT = 1;
const FLAG = 2;
const NULL = 4;
const WHOLE = 8;
const NUMBER = 16;
export const LIST = 32;
/** An object of named values. */
export const OBJECT = 64;
/** What JSON cannot hold. */
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

/** The kinds that the `type` of a JSON Schema names: one, or a list; all kinds where there is none. */
export function kindsOfType(type: unknown): number {
  if (type === undefined) return ANY;
  const types: readonly unknown[] = Array.isArray(type) ? type : [type];
  return types.reduce((kinds: number, one) => kinds | (KINDS[String(one)] ?? 0), 0);
}

/** The kind of a value: what a form that takes it has among its own. */
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

/** An object of named values: not a list, and not a Date, Map or other thing that JSON cannot hold. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  return isObject(value) && Object.prototype.toString.call(value) === '[object Object]';
}
