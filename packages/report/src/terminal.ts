import stringWidth from 'string-width';

/**
 * Matches characters that move the cursor, begin an escape sequence, end a line or change its direction, except tabs
 * and line feeds.
 */
const CONTROLS = /[^\P{Cc}\t\n]|[\u2028\u2029]|\p{Bidi_Control}/gu;

/**
 * Matches commands that CI services (Azure Pipelines, GitHub, TeamCity, GitLab and Travis) accept anywhere in a line.
 */
const COMMANDS = /#(?=#(?:(?:vso|teamcity)?\[|$))|(?:section_(?:start|end)|travis_fold)(?=:)/gi;
/**
 * Matches commands of GitHub and Gitea, which must begin a line. Any word may begin a line after wrapping. Half a
 * marker at the end of a string also matches, because the text that follows might complete it.
 */
const WORKFLOW_COMMANDS = /(?<![^\s\p{Cf}])(?=::|:$)/gu;
/** Matches Buildkite's headers, which fold the lines that follow. */
const HEADERS = /^(?=[^\S\n]*(?:---|\+\+\+|~~~|\^\^\^)(?:\s|$))([^\S\n]*)/gm;

/**
 * Escapes text from an agent, a judge, a tool or a file for one line of a terminal or a CI log. Anything that we did
 * not write ourselves is printed through this function or `safeLines`.
 *
 * Line breaks and control characters become visible symbols (`␊`, `␛`, `<U+202E>`), so that text cannot leave its line,
 * erase another line, or hide part of itself. A backslash disables CI commands: `\::add-mask::`, `#\#vso[`. Safe text
 * is unchanged.
 */
export function safe(text: string): string {
  return safeLines(text).replace(/[\t\n]/g, signOf);
}

/**
 * Escapes multi-line text, preserving line breaks and tabs.
 *
 * @param hang The indentation for lines after the first that are not indented yet, so that none of them looks like one
 *   of our own lines. Default 0, for text that is indented as a whole.
 */
export function safeLines(text: string, hang = 0): string {
  const plain = text.replace(/\r\n/g, '\n').replace(CONTROLS, signOf);
  const defused = withoutHeaders(plain.replace(COMMANDS, '$&\\').replace(WORKFLOW_COMMANDS, '\\'));
  return hang === 0 ? defused : defused.replace(/\n(?! {2}|\t)(?=.)/g, `\n${' '.repeat(hang)}`);
}

/**
 * Escapes JSON for standard output. It parses to the same value, but contains no CI commands and no changes of text
 * direction.
 */
export function safeJson(json: string): string {
  return json.replace(/[\u007f-\u009f\u2028\u2029]|\p{Bidi_Control}|#(?=#)/gu, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

function withoutHeaders(text: string): string {
  return text.replace(HEADERS, '$1\\');
}

/** Returns a visible symbol for a control character. */
function signOf(character: string): string {
  const code = character.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  return code === 0x7f ? '\u2421' : `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`;
}

/** Escapes text on one line and truncates it to `width` columns. */
export function oneLine(text: string, width: number): string {
  const flat = safeLines(text).replace(/\s+/g, ' ').trim();
  // Longer text is certainly wider, and measuring all of it would be slow.
  const measured = flat.slice(0, width * 8);
  if (measured === flat && stringWidth(flat) <= width) return flat;
  let shown = '';
  let used = 0;
  for (const { segment } of new Intl.Segmenter().segment(measured)) {
    used += stringWidth(segment);
    if (used > width - 1) break;
    shown += segment;
  }
  return `${shown}…`;
}

/**
 * Matches a word, whitespace, or a character of a script without spaces, together with punctuation that must not begin
 * a line.
 */
const PIECES =
  /\s+|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]\p{P}*|[^\s\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]+/gu;

/**
 * Wraps lines that are wider than `width` columns. Continuation lines are indented by `hang`.
 *
 * @param most The maximum width of a single word in columns. A wider one is broken after `,` or `(`, or else between
 *   any two characters. Default `width`.
 */
export function wrap(text: string, width: number, hang = 0, most = width): string {
  const lines = text.split('\n').map((line) => wrapLine(line, width, ' '.repeat(hang), most));
  // After wrapping, a word from within the text may begin a line.
  return withoutHeaders(lines.join('\n'));
}

/**
 * Wraps lines that are too wide for a terminal, with continuation lines indented below them. Lines that fit are
 * unchanged.
 *
 * @param most As in `wrap`.
 */
export function fit(text: string, width: number, most = width): string {
  if (text.length * 2 <= width || width === Number.POSITIVE_INFINITY) return text;
  const lines = text.split('\n');
  const isWide = (line: string) => line.length * 2 > width && columns(line) > width;
  if (!lines.some(isWide)) return text;
  return lines
    .map((line) => {
      if (!isWide(line)) return line;
      const own = line.length - line.trimStart().length;
      return withoutHeaders(wrapLine(line, width, ' '.repeat(Math.min(own + 2, Math.floor(width / 2))), most));
    })
    .join('\n');
}

/**
 * Stands in for a space inside a command, which must stay copyable as a whole. Escaped text never contains this
 * character.
 */
const KEPT_BLANK = '\u0000';
/** Matches one of our commands or an installation command, up to where the sentence continues. */
const TYPED =
  /(?:npx )?agent-criteria [a-z](?:(?![.,;:)] | to | \().)*(?=$|[.,;:)] | to | \()|npm install(?: --?[\w-]+| @?[\w./-]+)+/g;
/** Matches a word of a command. Quoted text may contain spaces. */
const TYPED_WORDS = /(?:'[^']*'|"[^"]*"|[^\p{Cc}])+/gu;

function wrapLine(given: string, width: number, margin: string, most: number): string {
  const line = given.replace(TYPED, (command) => command.replaceAll(' ', KEPT_BLANK));
  return wrapWords(line, width, margin, most).replaceAll(KEPT_BLANK, ' ');
}

function wrapWords(line: string, width: number, margin: string, most: number): string {
  let lines = '';
  let used = 0;
  let blanks = '';
  const room = most - margin.length;
  const begin = (text: string) => {
    const harmless = lineStart(text);
    lines += `\n${margin}${harmless}`;
    used = margin.length + columns(harmless);
  };
  for (const [piece] of line.matchAll(PIECES)) {
    if (piece.trim() === '') {
      blanks = piece;
      continue;
    }
    const wide = columns(piece);
    // An ideographic space is two columns wide, and a tab is measured as having no width.
    const gap = Math.max(blanks.length, columns(blanks));
    // Starting a new line only helps if the text then begins further to the left.
    const gains = used > 0 && used + gap > margin.length;
    if (used + gap + wide <= (gains ? width : most)) {
      lines += blanks + piece;
      used += gap + wide;
    } else if (gains && columns(lineStart(piece)) <= room) begin(piece);
    else {
      // The indentation is limited to half the width.
      const before = used === 0 ? Math.min(gap, Math.floor(width / 2)) : gap;
      const [first = '', ...others] = breakWord(piece, most - used - before, room, gains);
      if (first !== '') {
        lines += (before < gap ? ' '.repeat(before) : blanks) + first;
        used += before + columns(first);
      }
      for (const other of others) begin(other);
    }
    blanks = '';
  }
  return lines;
}

/**
 * Disables text that a CI service would interpret at the beginning of a line, because breaking a word may put it there.
 */
function lineStart(text: string): string {
  return text.startsWith('::') || /^(?:---|\+\+\+|~~~|\^\^\^)(?:\s|$)/.test(text) ? `\\${text}` : text;
}

/**
 * Breaks a word that is too wide for a line.
 *
 * @param left The columns left on the line where the word may begin.
 * @param room The columns available on the lines that follow.
 * @param mayMove Whether the word may begin on the next line instead. The first line is then empty.
 */
function breakWord(word: string, left: number, room: number, mayMove: boolean): readonly string[] {
  const isCommand = word.includes(KEPT_BLANK);
  // A shell joins lines that end with a backslash.
  const [glue, end] = isCommand ? [KEPT_BLANK, ' \\'] : ['', ''];
  const parts = isCommand ? (word.match(TYPED_WORDS) ?? [word]) : (word.match(/[,(]*[^,(]+[,(]*/g) ?? [word]);
  const lines = [''];
  // A line that begins with one of these characters may need a backslash before it.
  const roomFor = (line: string) => {
    if (lines.length === 1) return mayMove ? left : Math.max(left, 1);
    return Math.max(/^[-:+~^]/.test(line) ? room - 1 : room, 1);
  };
  for (const [index, part] of parts.entries()) {
    const tail = index === parts.length - 1 ? '' : end;
    const last = lines.at(-1) ?? '';
    const joined = last === '' ? part : `${last}${glue}${part}`;
    if (columns(joined + tail) <= roomFor(joined)) {
      lines[lines.length - 1] = joined;
      continue;
    }
    const fits = columns(part + tail) < room;
    if (last !== '') lines[lines.length - 1] = `${last}${end}`;
    if (last !== '' || (mayMove && (fits || left < room / 2))) lines.push('');
    if (columns(part + tail) <= roomFor(part)) lines[lines.length - 1] = part;
    else breakAnywhere(part, lines, roomFor, mayMove);
  }
  return lines;
}

/**
 * Appends the characters of a text to the last of these lines, starting a new line whenever it is full.
 *
 * @param mayMove Whether the first line may stay empty if not even one character fits.
 */
function breakAnywhere(text: string, lines: string[], roomFor: (line: string) => number, mayMove: boolean): void {
  let line = lines.pop() ?? '';
  let used = columns(line);
  lines.push('');
  for (const { character, wide } of charactersOf(text)) {
    if (used + wide > roomFor(line) && (used > 0 || (mayMove && lines.length === 1))) {
      lines[lines.length - 1] = line;
      lines.push('');
      [line, used] = ['', 0];
    }
    line += character;
    used += wide;
  }
  lines[lines.length - 1] = line;
}

/** Matches a colour code, a single ASCII character, or text that needs segmenting. */
const PAINT_OR_TEXT = /\p{Cc}(?:\[[\d;]*m)?|[ -~](?![^ -~\p{Cc}])|[ -~]?[^ -~\p{Cc}]+/gu;

/** Yields the colour codes and the characters of a text. */
function* charactersOf(text: string): Generator<{ readonly character: string; readonly wide: number }> {
  // Long texts repeat their characters, and measuring each one would be slow.
  const widths = new Map<string, number>();
  for (const [piece] of text.matchAll(PAINT_OR_TEXT)) {
    if (piece.startsWith('\u001b')) yield { character: piece, wide: 0 };
    else if (/^[ -~]$/.test(piece)) yield { character: piece, wide: 1 };
    else
      for (const { segment } of new Intl.Segmenter().segment(piece)) {
        const wide = widths.get(segment) ?? stringWidth(segment);
        widths.set(segment, wide);
        yield { character: segment, wide };
      }
  }
}

/** Returns the width of a text in columns, which is approximate if the text is very long. */
function columns(text: string): number {
  if (text.includes(KEPT_BLANK)) return columns(text.replaceAll(KEPT_BLANK, ' '));
  return text.length > 2000 || /^[ -~]*$/.test(text) ? text.length : stringWidth(text);
}

/** Indents every line. */
export function indent(text: string, by: number): string {
  const margin = ' '.repeat(by);
  return text
    .split('\n')
    .map((line) => (line === '' ? line : margin + line))
    .join('\n');
}

/** A table cell, with text and an optional style, which has no width. */
export interface Cell {
  readonly text: string;
  readonly paint?: ((text: string) => string) | undefined;
}

/** Aligns rows in columns, two spaces apart, using their width in a terminal, even for East Asian text. */
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

/**
 * Aligns a table whose first row names its columns. If the terminal is too narrow, every other row becomes a list: its
 * first cell, then the other cells, each with the name of its column.
 */
export function fitTable(rows: readonly (readonly Cell[])[], width: number): string {
  const [header, ...others] = rows;
  if (header === undefined || tableWidth(rows) <= width) return table(rows);
  const [, ...names] = header;
  const room = Math.max(...names.map(({ text }) => stringWidth(text)));
  const lines = others.map(([first, ...cells]) => [
    ...(first === undefined || first.text === '' ? [] : [fit(painted(first), width)]),
    ...cells.flatMap((cell, index) => {
      const name = names[index];
      if (cell.text === '') return [];
      const label = name === undefined ? '' : painted(name) + ' '.repeat(room - stringWidth(name.text) + 2);
      return [fit(`  ${label}${painted(cell)}`, width)];
    }),
  ]);
  return lines.flat().join('\n');
}

function painted({ text, paint = (plain) => plain }: Cell): string {
  return paint(text);
}

/** Returns the width of a table in columns. */
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
