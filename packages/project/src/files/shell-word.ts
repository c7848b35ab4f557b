/** Formats a text as a single word of a command that can be copied into a shell. */
export function shellWord(text: string, windows: boolean = process.platform === 'win32'): string {
  if (/^[\w./:@%+=,][\w./:@%+=,-]*$/.test(text)) return text;
  return windows ? `"${text.replaceAll('"', '""')}"` : `'${text.replaceAll("'", `'\\''`)}'`;
}
