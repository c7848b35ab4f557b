/** Quotes a string as a single shell word, for a command that users can copy. */
export function shellWord(text: string, windows: boolean = process.platform === 'win32'): string {
  if (/^[\w./:@%+=,][\w./:@%+=,-]*$/.test(text)) return text;
  return windows ? `"${text.replaceAll('"', '""')}"` : `'${text.replaceAll("'", `'\\''`)}'`;
}
