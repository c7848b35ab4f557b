/** The minimum width in columns. */
const NARROWEST = 20;
/** The width assumed for a terminal that does not report one. */
const USUAL = 80;

/**
 * Returns the width of a stream in columns. Only terminals have one: programs read pipes line by line, and CI log
 * viewers wrap lines themselves. `COLUMNS` sets a width for any stream that has none.
 */
export function columnsOf(
  { isTTY = false, columns = 0 }: { readonly isTTY?: boolean | undefined; readonly columns?: number | undefined },
  { COLUMNS = '' }: Readonly<Record<string, string | undefined>>,
): number {
  // As in other programs, the terminal's width wins over a variable that its shell may have set long ago.
  if (isTTY && columns > 0) return Math.max(columns, NARROWEST);
  const asked = /^\d+$/.test(COLUMNS) ? Number(COLUMNS) : 0;
  if (asked > 0) return Math.max(asked, NARROWEST);
  return isTTY ? USUAL : Number.POSITIVE_INFINITY;
}
