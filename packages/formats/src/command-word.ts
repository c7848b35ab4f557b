/** Characters that mean the same between double quotes in every common shell. */
const HARMLESS = /^[\p{L}\p{M}\p{N} \w.,/\\:@#=+~()[\]-]+$/u;

/** A text as one word of a command in every common shell; `null`: no quoting is read alike by all of them. */
export function commandWord(text: string): string | null {
  if (!HARMLESS.test(text) || text.endsWith('\\')) return null;
  return /^[\w./:@=-]+$/.test(text) ? text : `"${text}"`;
}
