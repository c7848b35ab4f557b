import { oneLine, safeLines } from './terminal.ts';

/**
 * Text of anybody inside a line of Markdown, also in a table cell: in backticks, or, where it has characters that mean something
 * between those, as `htmlCode`. Nothing in it is a link, a mention, a reference to an issue, or HTML.
 *
 * @param width Columns; what is longer is cut.
 */
export function inlineCode(text: string, width: number): string {
  const shown = oneLine(text, width);
  return shown === '' || /[`|\\]/.test(shown) ? htmlCode(text, width) : `\`${shown}\``;
}

/** The same inside HTML, where there are no backticks, with every character that could mean something written as a number. */
export function htmlCode(text: string, width: number): string {
  const shown = oneLine(text, width);
  return shown === '' ? '(none)' : `<code>${encode(shown)}</code>`;
}

/** A sentence in which there may be text of anybody, written as prose. */
export function inlineText(text: string, width: number): string {
  return encode(oneLine(text, width));
}

/** Characters that can mean something inside a line, and the colons and dots that make a link of an address. */
function encode(text: string): string {
  return text.replace(/[#$&*:<>@[\\\]_`|~]|(?<=www)\./gi, (character) => `&#${character.charCodeAt(0)};`);
}

/** Text of anybody by lines, as a fenced block that nothing in it can end. */
export function fenced(text: string): string {
  const longest = Array.from(safeLines(text).matchAll(/`+/g), ([run]) => run.length).reduce(
    (a, b) => Math.max(a, b),
    2,
  );
  const fence = '`'.repeat(longest + 1);
  return `${fence}text\n${safeLines(text).replace(/\n$/, '')}\n${fence}\n`;
}

/** Rows of a table, one a line. The cells have to be escaped already. */
export function markdownRows(rows: readonly (readonly string[])[]): string {
  return rows.map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}
