/** Rows beyond the edges of the window, so that a quick scroll meets something. */
const SPARE = 8;

/** The rows of a list of equal rows that a window shows: from, and up to but without. `top` is where the list begins, seen from the window. */
export function visibleRows(list: {
  readonly top: number;
  readonly height: number;
  readonly rowHeight: number;
  readonly rows: number;
}): readonly [from: number, to: number] {
  const { top, height, rowHeight, rows } = list;
  const clamp = (row: number) => Math.min(Math.max(row, 0), rows);
  const from = clamp(Math.floor(-top / rowHeight) - SPARE);
  return [from, Math.max(from, clamp(Math.ceil((height - top) / rowHeight) + SPARE))];
}
