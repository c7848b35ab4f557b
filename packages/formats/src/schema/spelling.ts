import { isObject } from '../json.ts';

/** Converts `evalId` to `eval_id`, following ADK's rule. */
export function toSnake(key: string): string {
  return key.replace(/(?<!^)[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Converts `eval_id` to `evalId`. */
export function toCamel(key: string): string {
  return key.replace(/(?<=[^_])_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** Finds a field's key in an object, in either spelling, or `undefined` if there is none. */
export function keyOf(object: object, name: string): string | undefined {
  return [name, toSnake(name), toCamel(name)].find((key) => Object.hasOwn(object, key));
}

/**
 * Reads a field of an object in either spelling. Returns `undefined` if it is missing, or the value is not an object.
 */
export function fieldOf(value: unknown, name: string): unknown {
  const key = isObject(value) ? keyOf(value, name) : undefined;
  return key === undefined ? undefined : (value as Record<string, unknown>)[key];
}
