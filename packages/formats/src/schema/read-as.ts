import { CriteriaError, type ErrorCode } from '../errors.ts';
import { isObject } from '../json.ts';
import { formatPath } from './path.ts';

/** Whether a value is what a place asks for. */
export type Check = (value: unknown) => boolean;

/** What a value must be: a check, or an object with what its fields must be. Fields that it does not name may hold anything. */
export type Schema<T = unknown> =
  | Check
  | (unknown extends T ? Fields : T extends object ? { readonly [Key in keyof T]?: Schema<T[Key]> } : never);

interface Fields {
  readonly [key: string]: Schema | undefined;
}

/** Where a value was read, and what to say of one that is not as it must be. */
export interface ReadAsOptions {
  readonly file?: string | undefined;
  /** Default `INVALID_DATA`. */
  readonly code?: ErrorCode | undefined;
  /** @param field The first field that is wrong, as `agent.name`; `''`: the value itself. */
  readonly message: (field: string) => string;
}

/**
 * A value that anybody may have written, as what a schema says it is. It is looked at where it lies, not copied.
 *
 * @throws CriteriaError for the first field that is not as it must be, with its path.
 */
export function readAs<T>(schema: Schema<T>, value: unknown, { file, code, message }: ReadAsOptions): T {
  const wrong = firstWrong(schema, value);
  if (wrong === null) return value as T;
  const problem = { file, path: formatPath(wrong), message: message(wrong.join('.')) };
  throw new CriteriaError({ code: code ?? 'INVALID_DATA', ...problem });
}

/** Whether a value is what a schema says. */
export function fits<T>(schema: Schema<T>, value: unknown): value is T {
  return firstWrong(schema, value) === null;
}

/** The keys that lead to the first field that is wrong; `null`: none is. */
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

/** The checks that schemas are made of. */
export const is = {
  text: (value: unknown) => typeof value === 'string',
  flag: (value: unknown) => typeof value === 'boolean',
  number: (value: unknown) => typeof value === 'number',
  /** A whole number from 0 up. */
  count: (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 0,
  /** Milliseconds that a date can have. */
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
  /** An object whose keys are the user's own. */
  map:
    (schema: Schema): Check =>
    (value) =>
      isObject(value) && Object.values(value).every((item) => fits(schema, item)),
};
