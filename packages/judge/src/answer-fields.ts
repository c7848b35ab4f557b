// Judges mean the same by a value and by a list of it, and by a text with white space around it.

/** The item of a list of one; anything else as it is. */
export function onlyItem(value: unknown): unknown {
  return Array.isArray(value) && value.length === 1 ? value[0] : value;
}

/** A text without white space around it; `''` for what is no text. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value.trim() : '';
}
