/** Narrower than this nothing reads well. */
const NARROWEST = 20;
/** Of a terminal that does not know. */
const USUAL = 80;

/**
 * The columns of a stream. What is no terminal has no width: programs read pipes by lines, people search the logs of CI, and
 * viewers of those break lines by themselves. `COLUMNS` gives it one all the same.
 */
export function columnsOf(
  { isTTY = false, columns = 0 }: { readonly isTTY?: boolean | undefined; readonly columns?: number | undefined },
  { COLUMNS = '' }: Readonly<Record<string, string | undefined>>,
): number {
  // As other programs have it, a terminal knows better than a variable that its shell has set once.
  if (isTTY && columns > 0) return Math.max(columns, NARROWEST);
  const asked = /^\d+$/.test(COLUMNS) ? Number(COLUMNS) : 0;
  if (asked > 0) return Math.max(asked, NARROWEST);
  return isTTY ? USUAL : Number.POSITIVE_INFINITY;
}
