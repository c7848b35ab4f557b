import { markdownRows } from './escape-markdown.ts';
import { fitted } from './prose.ts';
import type { Style } from './style.ts';
import { type Cell, fitTable, safe, wrap } from './terminal.ts';

// Parts of reports that are formatted both for a terminal and as Markdown.

export interface Table {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** The maximum width of explanations in columns, even in a wider terminal. */
const PROSE = 100;

/**
 * Formats a table for a terminal.
 *
 * @param paintOf Returns the colour of a cell. Default: no colours.
 */
export function consoleTable(
  { head, rows }: Table,
  style: Style,
  paintOf: (text: string, row: readonly string[]) => Cell['paint'] = () => undefined,
): string {
  const cells = rows.map((row) => row.map((text): Cell => ({ text: safe(text), paint: paintOf(text, row) })));
  return rows.length === 0 ? '' : fitTable([headerCells(head, style), ...cells], style.width);
}

/** Returns the first row of a table, which names its columns. */
export function headerCells(texts: readonly string[], { colors }: Pick<Style, 'colors'>): Cell[] {
  return texts.map((text) => ({ text, paint: colors.dim }));
}

/** Formats a table as Markdown. The cells must already be escaped. */
export function markdownTable({ head, rows }: Table): string {
  return markdownRows([head, head.map(() => '---'), ...rows]);
}

/** Joins parts for a terminal, separated by empty lines. Empty parts are omitted. */
export function consoleParts(parts: readonly string[], style: Style): string {
  return parts
    .filter((part) => part !== '')
    .map((part) => fitted(`${part.trimEnd()}\n`, style))
    .join('\n');
}

/** Wraps an explanation for a terminal. */
export function consoleProse(text: string, { width }: Style): string {
  return wrap(text, Math.min(width, PROSE));
}

/** Joins parts of Markdown, separated by empty lines. Empty parts are omitted. */
export function markdownParts(parts: readonly string[]): string {
  return parts
    .filter((part) => part !== '')
    .map((part) => `${part.trimEnd()}\n`)
    .join('\n');
}

export function markdownList(lines: readonly string[]): string {
  return lines.map((line) => `- ${line}\n`).join('');
}

/** Formats how many items of a list are not shown. Empty if all are shown. */
export function moreText(all: readonly unknown[], shown: number): string {
  return all.length > shown ? `and ${all.length - shown} more` : '';
}
