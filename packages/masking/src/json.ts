/** As they were when this module was loaded: what an agent puts in their place masks no less. */
export const { parse: parseJson, stringify: stringifyJson } = JSON;

/** True for an object made by braces or `JSON.parse`: not null, not an array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
