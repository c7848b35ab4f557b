import { CriteriaError, type ErrorCode } from '../errors.ts';
import { isObject } from '../json.ts';
import { formatPath } from './path.ts';

/** A predicate for a value. */
export type Check = (value: unknown) => boolean;

/** The expected shape of a value: a predicate, or an object of shapes by key. Other keys may have any value. */
export type Schema<T = unknown> =
  | Check
  | (unknown extends T ? Fields : T extends object ? { readonly [Key in keyof T]?: Schema<T[Key]> } : never);

interface Fields {
  readonly [key: string]: Schema | undefined;
}

/** The file that a value comes from, and the error for a value of another shape. */
export interface ReadAsOptions {
  readonly file?: string | undefined;
  /** Default `INVALID_DATA`. */
  readonly code?: ErrorCode | undefined;
  /** @param field The first wrong field, such as `agent.name`, or `''` for the value itself. */
  readonly message: (field: string) => string;
}

/**
 * Checks an untrusted value, and returns it with its type. It is not copied.
 *
 * @throws CriteriaError for the first wrong field, with its path.
 */
export function readAs<T>(schema: Schema<T>, value: unknown, { file, code, message }: ReadAsOptions): T {
  const wrong = firstWrong(schema, value);
  if (wrong === null) return value as T;
  const problem = { file, path: formatPath(wrong), message: message(wrong.join('.')) };
  throw new CriteriaError({ code: code ?? 'INVALID_DATA', ...problem });
}

/** Tells whether a value has the shape that a schema describes. */
export function fits<T>(schema: Schema<T>, value: unknown): value is T {
  return firstWrong(schema, value) === null;
}

/** Returns the keys that lead to the first wrong field, or `null` if there is none. */
function firstWrong(schema: Schema, value: unknown): readonly string[] | null {
  if (typeof schema === 'function') return schema(value) ? null : [];
  if (!isObject(value)) return [];
  for (const key of Object.keys(schema)) {
    const wrong = firstWrong(schema[key] ?? anything, value[key]);
    if (wrong !== null) return [key, ...wrong];
  }
  return null;
}

const anything: Check = () => true;

/** Predicates for schemas. */
export const is = {
  text: (value: unknown) => typeof value === 'string',
  flag: (value: unknown) => typeof value === 'boolean',
  number: (value: unknown) => typeof value === 'number',
  /** An integer of at least 0. */
  count: (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 0,
  /** Milliseconds since the epoch, within the range of `Date`. */
  time: (value: unknown) => typeof value === 'number' && Math.abs(value) <= 8.64e15,
  object: isObject,
  optional:
    (schema: Schema): Check =>
    (value) =>
      value === undefined || fits(schema, value),
  orNull:
    (schema: Schema): Check =>
    (value) =>
      value === null || fits(schema, value),
  list:
    (schema: Schema): Check =>
    (value) =>
      Array.isArray(value) && value.every((item) => fits(schema, item)),
  /** An object with any keys. */
  map:
    (schema: Schema): Check =>
    (value) =>
      isObject(value) && Object.values(value).every((item) => fits(schema, item)),
};
