// Judges may wrap a value in a list, or surround text with white space.

/**
 * Whether a value is an object, not `null` or a list. Defined here because importing it from core would load
 * `core/host`.
 */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the item of a single-item list, and any other value unchanged. */
export function onlyItem(value: unknown): unknown {
  return Array.isArray(value) && value.length === 1 ? value[0] : value;
}

/** Returns the trimmed text, or `''` for any other value. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value.trim() : '';
}
