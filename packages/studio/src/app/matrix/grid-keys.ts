export interface GridPlace {
  readonly row: number;
  readonly column: number;
}

/** Returns the cell that a key leads to, or `null` for keys that do not move. The keys are those of a grid in ARIA. */
export function movedTo(
  { row, column }: GridPlace,
  key: { readonly key: string; readonly ctrlKey: boolean },
  size: { readonly rows: number; readonly columns: number; readonly page: number },
): GridPlace | null {
  const within = (value: number, most: number) => Math.min(Math.max(value, 0), Math.max(most - 1, 0));
  const at = (nextRow: number, nextColumn: number) => ({
    row: within(nextRow, size.rows),
    column: within(nextColumn, size.columns),
  });
  switch (key.key) {
    case 'ArrowDown':
      return at(row + 1, column);
    case 'ArrowUp':
      return at(row - 1, column);
    case 'ArrowRight':
      return at(row, column + 1);
    case 'ArrowLeft':
      return at(row, column - 1);
    case 'PageDown':
      return at(row + size.page, column);
    case 'PageUp':
      return at(row - size.page, column);
    case 'Home':
      return at(key.ctrlKey ? 0 : row, 0);
    case 'End':
      return at(key.ctrlKey ? size.rows - 1 : row, size.columns - 1);
    default:
      return null;
  }
}
