import stringWidth from 'string-width';

/** Escape sequences of terminals. */
const SEQUENCES = new RegExp(
  [
    // Titles, links and the like, with all that stands up to their end.
    String.raw`(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)`,
    // Colours and movements.
    String.raw`(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]`,
    String.raw`\x1b[ -/]*[0-Z\\^-~]`,
  ].join('|'),
  'g',
);
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/**
 * Text of an agent, a tool or a file, safe to print: no escape sequences, no control characters but line breaks and tabs.
 * (Node's own stripVTControlCharacters takes minutes for a megabyte that was made for it.)
 */
export function safe(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(SEQUENCES, '').replace(CONTROLS, '\ufffd');
}

/** On one line, cut to `width` columns. */
export function oneLine(text: string, width: number): string {
  const flat = safe(text).replace(/\s+/g, ' ').trim();
  // Whatever is longer than this is wider too; measuring all of it would take long.
  const measured = flat.slice(0, width * 8);
  if (measured === flat && stringWidth(flat) <= width) return flat;
  let cut = '';
  let used = 0;
  for (const { segment } of new Intl.Segmenter().segment(measured)) {
    used += stringWidth(segment);
    if (used > width - 1) break;
    cut += segment;
  }
  return `${cut}…`;
}

/** A word, white space, or a character of a script that has none between words, with what may not begin a line. */
const PIECES =
  /\s+|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]\p{P}*|[^\s\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]+/gu;

/**
 * Breaks lines that are wider than this many columns; what follows a break is moved to the right by `hang`. A word that is
 * wider stays whole.
 */
export function wrap(text: string, width: number, hang = 0): string {
  return text
    .split('\n')
    .map((line) => wrapLine(line, width, ' '.repeat(hang)))
    .join('\n');
}

function wrapLine(line: string, width: number, margin: string): string {
  let lines = '';
  let used = 0;
  let blanks = '';
  for (const [piece] of line.matchAll(PIECES)) {
    if (piece.trim() === '') {
      blanks = piece;
      continue;
    }
    const room = columns(piece);
    const fits = used + blanks.length + room <= width;
    lines += fits || used === 0 ? blanks + piece : `\n${margin}${piece}`;
    used = fits || used === 0 ? used + blanks.length + room : margin.length + room;
    blanks = '';
  }
  return lines;
}

/** Of a very long text, about so many: measuring it would take long. */
function columns(text: string): number {
  return text.length > 2000 || /^[ -~]*$/.test(text) ? text.length : stringWidth(text);
}

/** Every line moved to the right. */
export function indent(text: string, by: number): string {
  const margin = ' '.repeat(by);
  return text
    .split('\n')
    .map((line) => (line === '' ? line : margin + line))
    .join('\n');
}

/** A cell of a table: its text, and the paint that takes no room. */
export interface Cell {
  readonly text: string;
  readonly paint?: ((text: string) => string) | undefined;
}

/** Rows as columns, two spaces apart. Widths count what a terminal shows, East Asian text included. */
export function table(rows: readonly (readonly Cell[])[]): string {
  const widths = widthsOf(rows);
  return rows
    .map((row) =>
      row
        .map(({ text, paint = (plain) => plain }, column) => {
          const last = column === row.length - 1;
          return paint(text) + (last ? '' : ' '.repeat((widths[column] ?? 0) - stringWidth(text) + 2));
        })
        .join('')
        .trimEnd(),
    )
    .join('\n');
}

/** The columns that a terminal needs for a table. */
export function tableWidth(rows: readonly (readonly Cell[])[]): number {
  return widthsOf(rows).reduce((sum, width) => sum + width + 2, -2);
}

function widthsOf(rows: readonly (readonly Cell[])[]): number[] {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [column, { text }] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, stringWidth(text));
  }
  return widths;
}
