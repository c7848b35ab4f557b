/** The smallest width that is used. */
const NARROWEST = 20;
/** The width of a terminal that does not report one. */
const USUAL = 80;

/**
 * Returns the width of a stream in columns. Only terminals have one: programs read pipes line by line, and viewers of CI logs wrap
 * lines themselves. `COLUMNS` sets a width for any stream.
 */
export function columnsOf(
  { isTTY = false, columns = 0 }: { readonly isTTY?: boolean | undefined; readonly columns?: number | undefined },
  { COLUMNS = '' }: Readonly<Record<string, string | undefined>>,
): number {
  // As in other programs, the terminal wins over a variable that its shell has set once.
  if (isTTY && columns > 0) return Math.max(columns, NARROWEST);
  const asked = /^\d+$/.test(COLUMNS) ? Number(COLUMNS) : 0;
  if (asked > 0) return Math.max(asked, NARROWEST);
  return isTTY ? USUAL : Number.POSITIVE_INFINITY;
}
