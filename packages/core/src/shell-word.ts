/** A text as one word of a command that can be copied into a shell. */
export function shellWord(text: string, windows: boolean = isWindows()): string {
  if (/^[\w./:@%+=,][\w./:@%+=,-]*$/.test(text)) return text;
  return windows ? `"${text.replaceAll('"', '""')}"` : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Core runs in browsers too, which have no `process`. */
function isWindows(): boolean {
  const { process } = globalThis as { readonly process?: { readonly platform?: string } };
  return process?.platform === 'win32';
}
