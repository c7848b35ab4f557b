import { markdownRows } from './escape-markdown.ts';
import { fitted } from './prose.ts';
import type { Style } from './style.ts';
import { type Cell, fitTable, safe, wrap } from './terminal.ts';

// Parts of a report that is written for a terminal and as Markdown.

export interface Table {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** Columns of explanations, however wide the terminal is. */
const PROSE = 100;

/** @param paintOf The colour of a cell. Default: none. */
export function consoleTable(
  { head, rows }: Table,
  style: Style,
  paintOf: (text: string, row: readonly string[]) => Cell['paint'] = () => undefined,
): string {
  const cells = rows.map((row) => row.map((text): Cell => ({ text: safe(text), paint: paintOf(text, row) })));
  return rows.length === 0 ? '' : fitTable([headerCells(head, style), ...cells], style.width);
}

/** The first row of a table, which names its columns. */
export function headerCells(texts: readonly string[], { colors }: Pick<Style, 'colors'>): Cell[] {
  return texts.map((text) => ({ text, paint: colors.dim }));
}

/** Markdown. The cells have to be escaped already. */
export function markdownTable({ head, rows }: Table): string {
  return markdownRows([head, head.map(() => '---'), ...rows]);
}

/** Parts for a terminal, with an empty line between them. Empty parts are left out. */
export function consoleParts(parts: readonly string[], style: Style): string {
  return parts
    .filter((part) => part !== '')
    .map((part) => fitted(`${part.trimEnd()}\n`, style))
    .join('\n');
}

/** An explanation for a terminal. */
export function consoleProse(text: string, { width }: Style): string {
  return wrap(text, Math.min(width, PROSE));
}

/** Parts of Markdown, with an empty line between them. Empty parts are left out. */
export function markdownParts(parts: readonly string[]): string {
  return parts
    .filter((part) => part !== '')
    .map((part) => `${part.trimEnd()}\n`)
    .join('\n');
}

export function markdownList(lines: readonly string[]): string {
  return lines.map((line) => `- ${line}\n`).join('');
}

/** Says how many of a list are not shown; empty if all are. */
export function moreText(all: readonly unknown[], shown: number): string {
  return all.length > shown ? `and ${all.length - shown} more` : '';
}
