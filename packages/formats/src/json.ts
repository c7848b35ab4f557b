/** Any value that `JSON.stringify` writes without loss. A key whose value is `undefined` counts as absent. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json | undefined };

/** A JSON object, such as session state or settings. */
export type State = { readonly [key: string]: Json | undefined };

/** A JSON Schema document (draft 2020-12), as plain JSON. */
export type JsonSchema = { readonly [key: string]: unknown };

/** Captured on load, so that an agent that replaces them cannot change records. */
export const { parse: parseJson, stringify: stringifyJson } = JSON;

/** Tells whether a value is a list or an object. */
export function isBranch(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** Compares two JSON values, ignoring key order; a key whose value is `undefined` counts as absent. */
export function equalJson(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (Array.isArray(left) || Array.isArray(right)) {
    if (!Array.isArray(left) || !Array.isArray(right) || left.length !== right.length) return false;
    return left.every((item, index) => equalJson(item, right[index]));
  }
  if (!isObject(left) || !isObject(right)) return false;
  const keys = Object.keys(left).filter((key) => left[key] !== undefined);
  const others = Object.keys(right).filter((key) => right[key] !== undefined);
  return (
    keys.length === others.length && keys.every((key) => Object.hasOwn(right, key) && equalJson(left[key], right[key]))
  );
}

/** Tells whether a value is an object: not `null`, not an array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
