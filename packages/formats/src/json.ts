/** Any value that `JSON.stringify` writes whole. A key that holds `undefined` counts as left out, there and here. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json | undefined };

/** A JSON object: session state, settings, a user's own map. */
export type State = { readonly [key: string]: Json | undefined };

/** A JSON Schema document (draft 2020-12), as plain JSON. */
export type JsonSchema = { readonly [key: string]: unknown };

/** As they were when core was loaded: what an agent puts in their place changes no record. */
export const { parse: parseJson, stringify: stringifyJson } = JSON;

/** True for an object made by braces or `JSON.parse`: not null, not an array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
