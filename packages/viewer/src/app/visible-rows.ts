/** The number of rows rendered beyond each edge of the window. */
const SPARE = 8;

/**
 * Returns the range of visible rows in a list of rows of equal height. `top` is the list's position relative to the
 * window.
 */
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
