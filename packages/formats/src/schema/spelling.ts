import { isObject } from '../json.ts';

// One field, two spellings: ADK's files say `eval_id`, TypeScript says `evalId`. The rule is mechanical, as in ADK.

/** `evalId` as `eval_id`. */
export function toSnake(key: string): string {
  return key.replace(/(?<!^)[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** `eval_id` as `evalId`. */
export function toCamel(key: string): string {
  return key.replace(/(?<=[^_])_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** Under which key an object holds a field: as it is named, or in the other spelling. */
export function keyOf(object: object, name: string): string | undefined {
  return [name, toSnake(name), toCamel(name)].find((key) => Object.hasOwn(object, key));
}

/** A field of an object, in either spelling; `undefined` for one that is not there, and of anything else. */
export function fieldOf(value: unknown, name: string): unknown {
  const key = isObject(value) ? keyOf(value, name) : undefined;
  return key === undefined ? undefined : (value as Record<string, unknown>)[key];
}
