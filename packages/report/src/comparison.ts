import {
  type Change,
  type ChangeVerdict,
  type FlippedCase,
  isShare,
  PASS_RATE,
  plainText,
  pText,
  type RunComparison,
  valueText,
} from '@agent-criteria/analysis';
import { counted } from '@agent-criteria/core/host';
import { htmlCode, inlineCode } from './escape-markdown.ts';
import { type ConsoleOptions, type Look, lookOf, paintVerdict } from './look.ts';
import { type Cell, fit, fitTable, oneLine, safe } from './terminal.ts';

/** What names the two runs, as they were asked for. */
export interface ComparedNames {
  readonly base: string;
  readonly candidate: string;
}

/** At most so many flipped cases are shown in full, and so many names of cases in a list. */
const FLIPPED_SHOWN = 10;
const NAMES_SHOWN = 10;

const SAID: Readonly<Record<ChangeVerdict, string>> = {
  regression: 'regression',
  improvement: 'improvement',
  small: 'too small to count',
  noise: 'within the noise',
  'too-few': 'too few cases',
  'cannot-tell': 'cannot tell',
  'nothing-paired': 'nothing to compare',
};

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
    sidelines(comparison, (name) => safe(name))
      .map((line) => `${line}\n`)
      .join(''),
    legend(comparison),
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
      '|  | before | now | change | 95% interval | p | verdict |',
      '| --- | --- | --- | --- | --- | --- | --- |',
    );
    for (const [name, ...cells] of rows) lines.push(`| ${inlineCode(name, 60)} | ${cells.join(' | ')} |`);
    lines.push('');
  }
  for (const line of sidelines(comparison, (name) => inlineCode(name, 80))) lines.push(`- ${line}`);
  lines.push('', legend(comparison).replaceAll('\n', ' '));
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
  return `${colors.bold('Cases with another verdict')}\n${lines.join('\n')}${more}`;
}

/** `failed 1/5`, `passed`. */
function sideText({ verdict, passed, of }: FlippedCase['base']): string {
  return of > 1 ? `${verdict} ${passed}/${of}` : verdict;
}

function changesTable(comparison: RunComparison, look: Look): string {
  const rows = rowsOf(comparison);
  if (rows.length === 0) return '';
  const { colors, width } = look;
  const header = ['', 'before', 'now', 'change', '95% interval', 'p', ''].map(
    (text): Cell => ({ text, paint: colors.dim }),
  );
  const paints = new Map<string, Cell['paint']>([
    [SAID.regression, colors.red],
    [SAID.improvement, colors.green],
    [SAID['cannot-tell'], colors.yellow],
  ]);
  const cells = rows.map((row) => row.map((text): Cell => ({ text: safe(text), paint: paints.get(text) })));
  return fitTable([header, ...cells], width);
}

/** Name, before, now, change, interval, p, verdict. */
function rowsOf({ passRate, criteria, measures }: RunComparison): readonly (readonly [string, ...string[]])[] {
  const deciding = [...(passRate === null ? [] : [passRate]), ...criteria].map((change) =>
    rowOf(change, SAID[change.verdict]),
  );
  const measured = measures
    .filter(({ difference }) => difference !== null)
    .map((change) => rowOf(change, measuredText(change)));
  return [...deciding, ...measured];
}

function rowOf(change: Change, verdict: string): readonly [string, ...string[]] {
  const { name, base, candidate, difference, interval, range, adjustedP, p } = change;
  // Scores are shown as thresholds are written; only a rate is in percent.
  const scale = name === PASS_RATE ? range : { min: 0, max: null };
  const value = (number: number | null) => (number === null ? '-' : valueText(number, scale));
  const shownP = adjustedP ?? (typeof p === 'number' ? p : null);
  return [
    name,
    value(base),
    value(candidate),
    difference === null ? '-' : signed(difference, scale),
    endsText(interval, scale),
    shownP === null ? '-' : pText(shownP).replace('p = ', '').replace('p < ', '<'),
    verdict,
  ];
}

type Scale = Pick<Change['range'], 'min' | 'max'>;

/** `+12`, `-4.5`: of a scale from 0 to 1, in points. */
function signed(difference: number, range: Scale): string {
  const sign = difference < 0 ? '-' : '+';
  const size = Math.abs(difference);
  return `${sign}${isShare(range) ? plainText(Number((size * 100).toFixed(1))) : plainText(size)}`;
}

function endsText(interval: Change['interval'], range: Scale): string {
  if ('unknown' in interval) return '-';
  const end = (value: number) => (isShare(range) ? String(Math.round(value * 100)) : plainText(value));
  return `${end(interval.low)} to ${end(interval.high)}`;
}

/** What is only measured decides nothing: better and worse are all that is said. */
function measuredText({ verdict, difference, range }: Change): string {
  if (verdict === 'too-few' || verdict === 'noise') return 'no clear change';
  if (verdict === 'cannot-tell' || verdict === 'nothing-paired') return SAID[verdict];
  return (difference as number) > 0 === (range.better === 'higher') ? 'better' : 'worse';
}

/** What has to be known beside the numbers, a sentence each. */
function sidelines(comparison: RunComparison, name: (text: string) => string): readonly string[] {
  const { differences, notCompared, cases } = comparison;
  const list = (all: readonly { readonly setId: string; readonly caseId: string }[]) => {
    const shown = all.slice(0, NAMES_SHOWN).map(({ setId, caseId }) => name(`${setId}:${caseId}`));
    return shown.join(', ') + (all.length > NAMES_SHOWN ? ` and ${all.length - NAMES_SHOWN} more` : '');
  };
  return [
    ...differences.map(({ text }) => `Note: ${safe(text)}.`),
    ...notCompared.map((one) => `Not compared: ${name(one.name)}, because ${safe(one.why)}.`),
    ...(cases.onlyBase.length > 0 ? [`Left out, only in the first run: ${list(cases.onlyBase)}.`] : []),
    ...(cases.onlyCandidate.length > 0 ? [`Left out, only in the second run: ${list(cases.onlyCandidate)}.`] : []),
    ...(cases.askedOtherwise.length > 0 ? [`Left out, asked something else: ${list(cases.askedOtherwise)}.`] : []),
  ];
}

function legend({ level, minEffect, passRate, criteria }: RunComparison): string {
  if (passRate === null && criteria.length === 0) return '';
  return `The interval holds the true change in ${Math.round(level * 100)} of 100 comparisons like this one. p is how often\nchance alone would give a change this large; below 0.05 and at least ${plainText(minEffect * 100)} points, it counts.`;
}
