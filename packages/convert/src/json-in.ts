/** Returns the list or the object that a text holds as JSON, or `undefined` for any other text. */
export function jsonIn(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
