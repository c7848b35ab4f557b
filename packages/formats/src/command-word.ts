/** Characters that have no special meaning between double quotes in any common shell. */
const HARMLESS = /^[\p{L}\p{M}\p{N} \w.,/\\:@#=+~()[\]-]+$/u;

/** Quotes a string as one word for every common shell. Returns `null` if no quoting works in all of them. */
export function commandWord(text: string): string | null {
  if (!HARMLESS.test(text) || text.endsWith('\\')) return null;
  return /^[\w./:@=-]+$/.test(text) ? text : `"${text}"`;
}
