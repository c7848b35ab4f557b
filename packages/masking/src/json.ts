/** Captured on load, so that an agent that replaces them cannot bypass masking. */
export const { parse: parseJson, stringify: stringifyJson } = JSON;

/** Tells whether a value is an object: not `null`, not an array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
