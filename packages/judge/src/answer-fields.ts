// Judges may wrap a value in a list, and put white space around texts.

/** Tells whether a value is an object: not `null`, not a list. An import from core would load all of `core/host`. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the item of a list with one item, and any other value unchanged. */
export function onlyItem(value: unknown): unknown {
  return Array.isArray(value) && value.length === 1 ? value[0] : value;
}

/** Trims a text. Returns `''` for any other value. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value.trim() : '';
}
