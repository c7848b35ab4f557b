import type { Change, FlippedCase, RunComparison } from '@agent-criteria/analysis';
import { changeCells, comparisonNotes, plainText } from '@agent-criteria/analysis/text';
import { counted } from '@agent-criteria/core/host';
import {
  consoleParts,
  consoleProse,
  consoleTable,
  markdownList,
  markdownParts,
  markdownTable,
  moreText,
} from './document.ts';
import { htmlCode, inlineCode, inlineText } from './escape-markdown.ts';
import { type ConsoleOptions, paintVerdict, type Style, styleOf } from './style.ts';
import { type Cell, oneLine, safe } from './terminal.ts';

/** The names of two runs in commands. */
export interface ComparedNames {
  readonly base: string;
  readonly candidate: string;
}

/** The maximum number of flipped cases shown. */
const FLIPPED_SHOWN = 10;

/** Formats a comparison for a terminal: the statement, the cases that flipped, the numbers, and notes. */
export function consoleComparison(
  comparison: RunComparison,
  names: ComparedNames,
  options: ConsoleOptions = {},
): string {
  const style = styleOf(options);
  const { colors } = style;
  const paints = new Map<string, Cell['paint']>([
    ['regression', colors.red],
    ['improvement', colors.green],
    ['cannot tell', colors.yellow],
  ]);
  return consoleParts(
    [
      `${colors.bold(`Comparing ${safe(names.candidate)} with ${safe(names.base)}`)}, ${counted(comparison.cases.paired, 'paired case')}`,
      paintOutcome(comparison, style),
      consoleFlipped(comparison.flipped, style),
      consoleTable({ head: HEAD, rows: rowsOf(comparison) }, style, (text) => paints.get(text)),
      comparisonNotes(comparison, safe).join('\n'),
      consoleProse(legend(comparison), style),
    ],
    style,
  );
}

/** Formats the same content as Markdown, for a comment or a summary. */
export function markdownComparison(comparison: RunComparison, names: ComparedNames): string {
  const { flipped } = comparison;
  const rows = rowsOf(comparison).map(([name, ...cells]) => [inlineCode(name, 60), ...cells]);
  const notes = comparisonNotes(
    comparison,
    (name) => inlineCode(name, 80),
    (text) => inlineText(text, 300),
  );
  return markdownParts([
    `## ${inlineCode(names.candidate, 100)} compared with ${inlineCode(names.base, 100)}`,
    `**${withCode(comparison.statement, comparison)}**`,
    markdownFlipped(flipped),
    moreText(flipped, FLIPPED_SHOWN),
    rows.length === 0 ? '' : markdownTable({ head: HEAD, rows }),
    markdownList(notes),
    legend(comparison),
  ]);
}

/** Escapes the name of a criterion at the start of a statement, because it comes from a plugin. */
function withCode(statement: string, { criteria }: RunComparison): string {
  const found = criteria.find(({ name }) => statement.startsWith(name));
  if (found === undefined) return statement;
  return inlineCode(found.name, 60) + statement.slice(found.name.length);
}

function paintOutcome({ outcome, statement }: RunComparison, { colors }: Style): string {
  const paint = { regression: colors.red, improvement: colors.green, 'no-change': colors.bold } as const;
  const own = outcome in paint ? paint[outcome as keyof typeof paint] : colors.yellow;
  return own(safe(statement));
}

function consoleFlipped(flipped: readonly FlippedCase[], style: Style): string {
  if (flipped.length === 0) return '';
  const { colors, width } = style;
  const lines = flipped.slice(0, FLIPPED_SHOWN).flatMap(({ setId, caseId, base, candidate }) => {
    const verdict = (side: FlippedCase['base']) => paintVerdict(side.verdict, style, sideText(side));
    const line = (label: string, text: string | null | undefined, columns: number) =>
      text ? [`    ${colors.dim(`${label}:`.padEnd(8))}${oneLine(text, columns)}`] : [];
    return [
      `  ${safe(`${setId}:${caseId}`)}  ${verdict(base)} -> ${verdict(candidate)}`,
      ...line('before', base.answer, Math.min(width, 100) - 14),
      ...line('now', candidate.answer, Math.min(width, 100) - 14),
      ...line('why', candidate.reason, 200),
    ];
  });
  const more = moreText(flipped, FLIPPED_SHOWN);
  return [colors.bold('Cases whose verdict changed'), ...lines, ...(more === '' ? [] : [`  ... ${more}`])].join('\n');
}

function markdownFlipped(flipped: readonly FlippedCase[]): string {
  if (flipped.length === 0) return '';
  const answer = (text: string | null) => (text === null ? '' : htmlCode(text, 120));
  const rows = flipped
    .slice(0, FLIPPED_SHOWN)
    .map(({ setId, caseId, base, candidate }) => [
      htmlCode(`${setId}:${caseId}`, 80),
      ...[sideText(base), sideText(candidate)],
      ...[answer(base.answer), answer(candidate.answer)],
    ]);
  return markdownTable({ head: ['case', 'before', 'now', 'answer before', 'answer now'], rows });
}

/** Formats one side of a flipped case as `failed 1/5`, or as `passed` if it ran only once. */
function sideText({ verdict, passed, of }: FlippedCase['base']): string {
  return of > 1 ? `${verdict} ${passed}/${of}` : verdict;
}

const HEAD = ['', 'before', 'now', 'change', '95% interval', 'p', 'result'];

/** Builds rows of name, before, now, change, interval, p and verdict. */
function rowsOf({ passRate, criteria, measures }: RunComparison): readonly (readonly [string, ...string[]])[] {
  const deciding = [...(passRate === null ? [] : [passRate]), ...criteria].map((change) => rowOf(change, true));
  const measured = measures.filter(({ difference }) => difference !== null).map((change) => rowOf(change, false));
  return [...deciding, ...measured];
}

function rowOf(change: Change, decides: boolean): readonly [string, ...string[]] {
  const { before, now, difference, interval, p, verdict } = changeCells(change, decides);
  return [change.name, before ?? '-', now ?? '-', difference ?? '-', interval ?? '-', p ?? '-', verdict];
}

function legend({ level, minEffect, passRate, criteria, measures }: RunComparison): string {
  if (passRate === null && criteria.length === 0) return '';
  const several = [...(passRate === null ? [] : [passRate]), ...criteria, ...measures].length > 1;
  return `95% interval: a confidence interval, which contains the true change in ${Math.round(level * 100)} of 100 comparisons like this one. p: how often chance alone would give a change at least this large${several ? ', corrected for how many numbers are compared, as the interval is' : ''}. A change counts if p is at most 0.05 and it is at least ${plainText(minEffect * 100)} points (a point is a hundredth of the scale).`;
}
