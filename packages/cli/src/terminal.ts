import { stripVTControlCharacters } from 'node:util';
import stringWidth from 'string-width';

/** Text of an agent, a tool or a file, safe to print: no escape sequences, no control characters but line breaks and tabs. */
export function safe(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
  return stripVTControlCharacters(text).replace(
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g,
    '\ufffd',
  );
}

/** On one line, cut to `width` columns. */
export function oneLine(text: string, width: number): string {
  const flat = safe(text).replace(/\s+/g, ' ').trim();
  if (stringWidth(flat) <= width) return flat;
  let cut = '';
  let used = 0;
  for (const { segment } of new Intl.Segmenter().segment(flat)) {
    used += stringWidth(segment);
    if (used > width - 1) break;
    cut += segment;
  }
  return `${cut}…`;
}

/** Every line moved to the right. */
export function indent(text: string, by: number): string {
  const margin = ' '.repeat(by);
  return text
    .split('\n')
    .map((line) => (line === '' ? line : margin + line))
    .join('\n');
}

/** Rows as columns, two spaces apart, the first row as header. Widths count what a terminal shows, East Asian text included. */
export function table(
  rows: readonly (readonly string[])[],
  paint: (cell: string, row: number, column: number) => string = (cell) => cell,
): string {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [column, cell] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, stringWidth(cell));
  }
  return rows
    .map((row, index) =>
      row
        .map((cell, column) => {
          const last = column === row.length - 1;
          return paint(cell, index, column) + (last ? '' : ' '.repeat((widths[column] ?? 0) - stringWidth(cell) + 2));
        })
        .join('')
        .trimEnd(),
    )
    .join('\n');
}
