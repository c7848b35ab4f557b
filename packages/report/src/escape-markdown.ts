import { oneLine, safeLines } from './terminal.ts';

/**
 * Escapes untrusted text for use within a line of Markdown or a table cell: in backticks or, if it contains characters
 * that have a meaning between backticks, with `htmlCode`. Nothing in it becomes a link, a mention, an issue reference
 * or HTML.
 *
 * @param width The width in columns beyond which the text is truncated.
 */
export function inlineCode(text: string, width: number): string {
  const shown = oneLine(text, width);
  return shown === '' || /[`|\\]/.test(shown) ? htmlCode(text, width) : `\`${shown}\``;
}

/** Escapes untrusted text within HTML, using character references for everything that could have a meaning. */
export function htmlCode(text: string, width: number): string {
  const shown = oneLine(text, width);
  return shown === '' ? '(none)' : `<code>${encode(shown)}</code>`;
}

/** Escapes a sentence that may contain untrusted text, as prose. */
export function inlineText(text: string, width: number): string {
  return encode(oneLine(text, width));
}

/**
 * Encodes characters that have a meaning within a line, including the colons and dots that turn an address into a link.
 */
function encode(text: string): string {
  return text.replace(/[#$&*:<>@[\\\]_`|~]|(?<=www)\./gi, (character) => `&#${character.charCodeAt(0)};`);
}

/** Puts untrusted lines into a fenced block that none of them can close. */
export function fenced(text: string): string {
  const longest = Array.from(safeLines(text).matchAll(/`+/g), ([run]) => run.length).reduce(
    (a, b) => Math.max(a, b),
    2,
  );
  const fence = '`'.repeat(longest + 1);
  return `${fence}text\n${safeLines(text).replace(/\n$/, '')}\n${fence}\n`;
}

/** Formats the rows of a table, one per line. The cells must already be escaped. */
export function markdownRows(rows: readonly (readonly string[])[]): string {
  return rows.map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}
