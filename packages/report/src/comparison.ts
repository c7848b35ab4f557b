import type { Change, FlippedCase, RunComparison } from '@agent-criteria/analysis';
import { changeCells, comparisonNotes, plainText } from '@agent-criteria/analysis/text';
import { counted } from '@agent-criteria/core/host';
import { htmlCode, inlineCode, inlineText } from './escape-markdown.ts';
import { type ConsoleOptions, type Look, lookOf, paintVerdict } from './look.ts';
import { type Cell, fit, fitTable, oneLine, safe, wrap } from './terminal.ts';

/** What names the two runs, as they were asked for. */
export interface ComparedNames {
  readonly base: string;
  readonly candidate: string;
}

/** At most so many flipped cases are shown in full. */
const FLIPPED_SHOWN = 10;
/** Columns of the legend, however wide the terminal is. */
const LEGEND = 100;

/** A comparison for a terminal: the statement, the cases that flipped, the numbers, and what was left out. */
export function consoleComparison(
  comparison: RunComparison,
  names: ComparedNames,
  options: ConsoleOptions = {},
): string {
  const look = lookOf(options);
  const { colors, width, longest } = look;
  const parts = [
    `${colors.bold(`Comparing ${safe(names.candidate)} with ${safe(names.base)}`)}, ${counted(comparison.cases.paired, 'paired case')}`,
    paintOutcome(comparison, look),
    flippedText(comparison.flipped, look),
    changesTable(comparison, look),
    comparisonNotes(comparison, safe)
      .map((line) => `${line}\n`)
      .join(''),
    wrap(legend(comparison), Math.min(width, LEGEND)),
  ];
  return parts
    .filter((part) => part !== '')
    .map((part) => fit(`${part.trimEnd()}\n`, width, longest))
    .join('\n');
}

/** The same as Markdown, for a comment or a summary. */
export function markdownComparison(comparison: RunComparison, names: ComparedNames): string {
  const { flipped } = comparison;
  const lines = [
    `## ${inlineCode(names.candidate, 100)} compared with ${inlineCode(names.base, 100)}`,
    '',
    `**${withCode(comparison.statement, comparison)}**`,
    '',
  ];
  if (flipped.length > 0) {
    lines.push('| case | before | now | answer before | answer now |', '| --- | --- | --- | --- | --- |');
    for (const { setId, caseId, base, candidate } of flipped.slice(0, FLIPPED_SHOWN)) {
      const answer = (text: string | null) => (text === null ? '' : htmlCode(text, 120));
      lines.push(
        `| ${htmlCode(`${setId}:${caseId}`, 80)} | ${sideText(base)} | ${sideText(candidate)} | ${answer(base.answer)} | ${answer(candidate.answer)} |`,
      );
    }
    if (flipped.length > FLIPPED_SHOWN) lines.push('', `and ${flipped.length - FLIPPED_SHOWN} more`);
    lines.push('');
  }
  const rows = rowsOf(comparison);
  if (rows.length > 0) {
    lines.push(
      '|  | before | now | change | 95% interval | p | result |',
      '| --- | --- | --- | --- | --- | --- | --- |',
    );
    for (const [name, ...cells] of rows) lines.push(`| ${inlineCode(name, 60)} | ${cells.join(' | ')} |`);
    lines.push('');
  }
  const notes = comparisonNotes(
    comparison,
    (name) => inlineCode(name, 80),
    (text) => inlineText(text, 300),
  );
  for (const line of notes) lines.push(`- ${line}`);
  lines.push('', legend(comparison));
  return `${lines
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trimEnd()}\n`;
}

/** Names of criteria inside a statement are text of plugins. */
function withCode(statement: string, { criteria }: RunComparison): string {
  const found = criteria.find(({ name }) => statement.startsWith(name));
  if (found === undefined) return statement;
  return inlineCode(found.name, 60) + statement.slice(found.name.length);
}

function paintOutcome({ outcome, statement }: RunComparison, { colors }: Look): string {
  const paint = { regression: colors.red, improvement: colors.green, 'no-change': colors.bold } as const;
  const own = outcome in paint ? paint[outcome as keyof typeof paint] : colors.yellow;
  return own(safe(statement));
}

function flippedText(flipped: readonly FlippedCase[], look: Look): string {
  if (flipped.length === 0) return '';
  const { colors, width } = look;
  const lines = flipped.slice(0, FLIPPED_SHOWN).map(({ setId, caseId, base, candidate }) => {
    const verdict = (side: FlippedCase['base']) => paintVerdict(side.verdict, look, sideText(side));
    const answers = [
      ['before', base.answer],
      ['now', candidate.answer],
    ].flatMap(([when, answer]) =>
      typeof answer === 'string' && answer !== ''
        ? [`    ${colors.dim(`${when}:`.padEnd(8))}${oneLine(answer, Math.min(width, 100) - 14)}`]
        : [],
    );
    const why =
      candidate.reason === undefined ? [] : [`    ${colors.dim('why:    ')}${oneLine(candidate.reason, 200)}`];
    return [`  ${safe(`${setId}:${caseId}`)}  ${verdict(base)} -> ${verdict(candidate)}`, ...answers, ...why].join(
      '\n',
    );
  });
  const more = flipped.length > FLIPPED_SHOWN ? `\n  ... and ${flipped.length - FLIPPED_SHOWN} more` : '';
  return `${colors.bold('Cases whose verdict changed')}\n${lines.join('\n')}${more}`;
}

/** `failed 1/5`, `passed`. */
function sideText({ verdict, passed, of }: FlippedCase['base']): string {
  return of > 1 ? `${verdict} ${passed}/${of}` : verdict;
}

function changesTable(comparison: RunComparison, look: Look): string {
  const rows = rowsOf(comparison);
  if (rows.length === 0) return '';
  const { colors, width } = look;
  const header = ['', 'before', 'now', 'change', '95% interval', 'p', 'result'].map(
    (text): Cell => ({ text, paint: colors.dim }),
  );
  const paints = new Map<string, Cell['paint']>([
    ['regression', colors.red],
    ['improvement', colors.green],
    ['cannot tell', colors.yellow],
  ]);
  const cells = rows.map((row) => row.map((text): Cell => ({ text: safe(text), paint: paints.get(text) })));
  return fitTable([header, ...cells], width);
}

/** Name, before, now, change, interval, p, verdict. */
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
