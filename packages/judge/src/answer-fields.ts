// Judges write a value as a list of one, and put white space around texts; they mean the same.

/** True for an object: not null, not a list. Here, since all of `core/host` would load with it. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The item of a list of one; anything else as it is. */
export function onlyItem(value: unknown): unknown {
  return Array.isArray(value) && value.length === 1 ? value[0] : value;
}

/** A text without white space around it; `''` for anything that is not a text. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value.trim() : '';
}
