import { oneLine, safeLines } from './terminal.ts';

/**
 * Escapes untrusted text inside a line of Markdown or a table cell: in backticks, or, if it has characters with a meaning between those, as
 * `htmlCode`. Nothing in it becomes a link, a mention, an issue reference, or HTML.
 *
 * @param width Columns, beyond which it is truncated.
 */
export function inlineCode(text: string, width: number): string {
  const shown = oneLine(text, width);
  return shown === '' || /[`|\\]/.test(shown) ? htmlCode(text, width) : `\`${shown}\``;
}

/** Escapes untrusted text inside HTML, with character references for everything that could have a meaning. */
export function htmlCode(text: string, width: number): string {
  const shown = oneLine(text, width);
  return shown === '' ? '(none)' : `<code>${encode(shown)}</code>`;
}

/** Escapes a sentence that may contain untrusted text, as prose. */
export function inlineText(text: string, width: number): string {
  return encode(oneLine(text, width));
}

/** Characters with a meaning inside a line, and the colons and dots that make an address a link. */
function encode(text: string): string {
  return text.replace(/[#$&*:<>@[\\\]_`|~]|(?<=www)\./gi, (character) => `&#${character.charCodeAt(0)};`);
}

/** Puts untrusted lines into a fenced block that nothing in them can end. */
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
