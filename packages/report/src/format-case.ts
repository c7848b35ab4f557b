import {
  contentText,
  type Evidence,
  type Inference,
  type Invocation,
  intermediateTexts,
  type Range,
  toolCalls,
  toolSteps,
} from '@agent-criteria/core';
import {
  type CriterionResult,
  formatShare,
  meetsThreshold,
  type TurnResult,
  type UnitResult,
} from '@agent-criteria/core/host';
import { fileNames } from '@agent-criteria/formats';
import { groupBy, type RunCase, type RunSet, usageOf } from '@agent-criteria/results';
import { alignCalls, alignTexts, isSameCall, isSameText, isUnjudged, type SaidText } from '@agent-criteria/viewer';
import { hasBadRepeat, isBad, meanOfTurnsText, rangeOf, repeatsText, resultScore } from './case-facts.ts';
import { endingText } from './endings.ts';
import { formatCall, formatRows } from './format-calls.ts';
import { formatTurnScore, sideBySide, wordDiff } from './format-score.ts';
import { stubLines } from './format-stubs.ts';
import { usageLines } from './format-usage.ts';
import { ownFrames } from './own-frames.ts';
import { reasonText, truncate, wrapped } from './prose.ts';
import { paintVerdict, type Style } from './style.ts';
import { indent, oneLine, safe, safeLines } from './terminal.ts';

/** Explains the notation for differences within a case. */
export const LEGEND = '[-expected-] {+actual+}, calls: - expected + made';

/** The maximum length of an intermediate text unless `detailed`, in characters. */
const SAID_SHOWN = 200;

/**
 * Formats a case: its verdict, its criteria, then its turns. Unless `detailed`, includes only what matters to the
 * verdict.
 */
export function formatCase(set: RunSet, one: RunCase, style: Style): string {
  const { colors, detailed } = style;
  const { result } = one;
  const repeats = isBad(result.verdict) ? '' : repeatsText(result);
  const byWhom = one.variant === undefined ? '' : ` (${safe(one.variant)})`;
  const lines = [`${colors.bold(safe(result.caseId))}${byWhom}: ${paintVerdict(result.verdict, style)}${repeats}`];
  const shown = result.criteria.filter(
    ({ verdict }) => detailed || verdict === 'failed' || verdict === 'not-evaluated',
  );
  // The displayed criteria and the failed repeats have their own reasons.
  const explained =
    result.verdict === 'not-evaluated' ? shown.filter(({ verdict }) => verdict === 'not-evaluated') : shown;
  const says =
    explained.length > 0 || (result.units.length > 1 && result.units.some(({ ending }) => ending.by === 'error'));
  if (!says && result.reason !== undefined) lines.push(indent(wrapped(reasonText(result.reason, style), 2, style), 2));
  for (const criterion of shown)
    lines.push(indent(wrapped(`${safe(criterion.name)}${describeResult(criterion, set, style)}`, 2, style), 2));
  if (detailed) lines.push(...stubLines(one.evalCase).map((line) => indent(colors.dim(safe(`stubbed: ${line}`)), 2)));
  const bad = result.units.filter(({ verdict }) => isBad(verdict));
  const all = result.units.length;
  for (const { units, text } of sameRepeats(set, one, detailed || bad.length === 0 ? result.units : bad, style)) {
    const [first] = units;
    if (all > 1 && first !== undefined) {
      const which = repeatNames(
        units.map(({ repeat }) => repeat + 1),
        all,
      );
      lines.push(indent(wrapped(`${colors.dim(`${which}:`)} ${paintVerdict(first.verdict, style)}`, 2, style), 2));
    }
    lines.push(...text);
  }
  if (detailed) lines.push(...usageLines(usageOf(one), 2, style).map((line) => indent(colors.dim(line), 2)));
  lines.push(...formatCommand(one, style));
  return `${lines.join('\n')}\n`;
}

/** Formats `repeat 2 of 5`, `repeats 1, 3` or `repeats 1 to 5`. */
function repeatNames(numbers: readonly number[], all: number): string {
  if (numbers.length === 1) return `repeat ${numbers[0]} of ${all}`;
  const spans: { readonly from: number; to: number }[] = [];
  for (const number of numbers) {
    const last = spans.at(-1);
    if (last?.to === number - 1) last.to = number;
    else spans.push({ from: number, to: number });
  }
  const names = spans.map(({ from, to }) => {
    if (from === to) return String(from);
    return to === from + 1 ? `${from}, ${to}` : `${from} to ${to}`;
  });
  return `repeats ${names.join(', ')}`;
}

/** Groups repeats with identical text, so that it is printed only once. */
function sameRepeats(set: RunSet, one: RunCase, units: readonly UnitResult[], style: Style) {
  const repeats = units.map((unit) => ({ unit, text: formatRepeat(set, one, unit, style) }));
  return [...groupBy(repeats, ({ unit, text }) => [unit.verdict, ...text].join('\n')).values()].map((same) => {
    return { units: same.map(({ unit }) => unit), text: same[0]?.text ?? [] };
  });
}

function formatRepeat(set: RunSet, one: RunCase, unit: UnitResult, style: Style): readonly string[] {
  const { ending } = unit;
  const isOneOfMany = one.result.units.length > 1;
  const error =
    isOneOfMany && ending.by === 'error' ? [indent(wrapped(reasonText(ending.error.message, style), 4, style), 4)] : [];
  const found = one.inferences.find(({ key }) => key.repeat === unit.repeat);
  return [
    ...error,
    ...(found ? formatUnit({ set, one, unit, inference: found.inference }, style) : formatLost(unit, style)),
  ];
}

/**
 * Returns the command that shows only this case, if it did not pass. Empty if the command could not be typed as shown.
 */
function formatCommand(one: RunCase, { command, colors }: Style): readonly string[] {
  const { setId, caseId, verdict } = one.result;
  if (command === null || !(isBad(verdict) || hasBadRepeat(one))) return [];
  const line = one.variant === undefined ? command(setId, caseId) : command(setId, caseId, one.variant);
  return safe(line) !== line ? [] : [`  ${colors.dim('details:')} ${line}`];
}

/** Describes a criterion's result. The reasons for individual turns are shown with the turns. */
function describeResult(result: CriterionResult, set: RunSet, style: Style): string {
  const { verdict, score, threshold, coverage, reason } = result;
  const range = rangeOf(result, set);
  if (score === null) return `: ${reasonText(reason ?? verdict, style)}`;
  const covered = coverage === null || coverage === 1 ? '' : ` (${formatShare(coverage)} scored)`;
  const number = ` ${resultScore(result, range)}${covered}${meanOfTurnsText(result)}`;
  if (threshold === null) return `${number}, only measured`;
  if (verdict !== 'passed' && verdict !== 'failed') return `: ${reasonText(reason ?? verdict, style)}`;
  const compat = result.adkStatus === undefined ? null : 'adk';
  const reached = meetsThreshold(score, threshold, range, compat);
  // The verdict is ours, but the number in compat mode is ADK's, so they may disagree.
  if (reached !== (verdict === 'passed'))
    return `${number} in ADK, here ${verdict}${reason ? `: ${reasonText(reason, style)}` : ''}`;
  if (reached) return `${number} reaches the threshold ${threshold}`;
  return `${number} is ${range.better === 'higher' ? 'below' : 'above'} the threshold ${threshold}`;
}

interface Shown {
  readonly set: RunSet;
  readonly one: RunCase;
  readonly unit: UnitResult;
  readonly inference: Inference;
}

/** The score of a turn, with its criterion. */
interface Scored {
  readonly criterion: CriterionResult;
  readonly turn: TurnResult;
  readonly range: Range;
}

function formatUnit({ set, one, unit, inference }: Shown, style: Style): readonly string[] {
  const { detailed } = style;
  const { evalCase, result } = one;
  const expected = evalCase.conversation ?? [];
  const { ending } = unit;
  const { invocations } = inference;
  const byDefault = new Set(
    set.criteria.flatMap((criterion) => (criterion.byDefault === true ? [criterion.name] : [])),
  );
  // Criteria that are measured in every run do not explain any verdict.
  const shown = result.criteria.filter(({ name }) => !byDefault.has(name));
  const scores: readonly Scored[] = shown.flatMap((criterion) => {
    const range = rangeOf(criterion, set);
    return criterion.turns.filter(({ repeat }) => repeat === unit.repeat).map((turn) => ({ criterion, turn, range }));
  });
  const broke = ending.by === 'error' || ending.by === 'abort' ? invocations.length : null;
  const explaining = scores.filter(explainsVerdict);
  // If the mean falls short although no single turn does, all turns explain it.
  const allMatter = broke === null && explaining.length === 0 && unit.verdict === 'failed';
  const lines: string[] = [];
  for (let index = 0; index < Math.max(invocations.length, expected.length); index++) {
    const here = scores.filter((one) => one.turn.turn === index && (detailed || !isUnmeasured(one)));
    const matters = allMatter || index === broke || here.some((one) => explaining.includes(one));
    if (detailed || matters) {
      const [actual, due] = [invocations[index], expected[index]];
      lines.push(...formatTurn(index, { actual, expected: due, scores: here }, style));
    }
  }
  for (const one of scores.filter(({ turn }) => turn.turn === null)) {
    if (detailed || explainsVerdict(one)) lines.push(indent(formatScored(one, null, 2, style), 2));
  }
  return [...lines, ...formatEnding(unit, invocations.length, result.reason, style)];
}

/** Formats a repeat without a recorded inference. */
function formatLost(unit: UnitResult, style: Style): readonly string[] {
  return [`  ${style.colors.dim('what happened is not recorded')}`, ...formatEnding(unit, null, undefined, style)];
}

/** @param said The reason that has already been shown. */
function formatEnding(
  { ending }: UnitResult,
  turns: number | null,
  said: string | undefined,
  style: Style,
): readonly string[] {
  const { colors, detailed } = style;
  const lines: string[] = [];
  if (ending.by === 'error') {
    const frames = ownFrames(ending.error.stack);
    for (const frame of frames.slice(0, detailed ? frames.length : 3)) lines.push(`  ${colors.dim(safe(frame))}`);
  }
  const text = endingText(ending.reason === said ? { ...ending, reason: undefined } : ending, turns);
  if (text === null) return lines;
  const paint = ending.by === 'turn-limit' ? colors.yellow : colors.dim;
  return [...lines, indent(wrapped(paint(reasonText(text, style)), 2, style), 2)];
}

/** Whether a score explains a verdict, which those of informational criteria never do. */
function explainsVerdict({ criterion, turn }: Scored): boolean {
  return criterion.verdict !== 'informational' && (turn.reached === false || isUnjudged(turn.score));
}

/**
 * Whether an informational criterion has no score. If it were listed next to a verdict, it would look like a reason for
 * that verdict.
 */
function isUnmeasured({ criterion, turn }: Scored): boolean {
  return criterion.verdict === 'informational' && isUnjudged(turn.score);
}

/** An actual and an expected turn, with the scores. */
interface ShownTurn {
  readonly actual: Invocation | undefined;
  readonly expected: Invocation | undefined;
  readonly scores: readonly Scored[];
}

function formatTurn(index: number, turn: ShownTurn, style: Style): readonly string[] {
  const { colors, detailed } = style;
  const message = (turn.actual ?? turn.expected)?.userContent;
  const files = fileNames(message).map((name) => `(file ${name})`);
  const prompt = [contentText(message), ...files].filter((one) => one !== '').join(' ');
  const calls = formatCalls(turn, style);
  return [
    `  ${colors.dim(`turn ${index + 1}`)}`,
    ...labelled('prompt', detailed ? safeLines(prompt) : oneLine(prompt, 200), style),
    ...formatSaid(turn, style),
    ...formatAnswer(turn, style),
    ...calls.lines,
    ...turn.scores.map((one) => indent(formatScored(one, calls.drawn, 4, style), 4)),
  ];
}

/** The indentation of a turn's text, which follows its label. */
const TEXT_MARGIN = 14;

/** Formats a text of a turn with its label. */
function labelled(label: string, text: string, style: Style, hang = 0): readonly string[] {
  const [first = '', ...rest] = wrapped(text, TEXT_MARGIN, style, hang).split('\n');
  return [`    ${style.colors.dim(label.padEnd(10))}${first}`, ...rest.map((more) => indent(more, TEXT_MARGIN))];
}

/**
 * Formats intermediate texts, which are often all that a sub-agent shows of its work. If some differ from the expected
 * ones, both are shown; otherwise they are shown only with `detailed`.
 */
function formatSaid({ actual, expected }: ShownTurn, style: Style): readonly string[] {
  const { colors, detailed } = style;
  const said = actual === undefined ? [] : intermediateTexts(actual);
  const due = expected === undefined ? [] : intermediateTexts(expected);
  const line = ({ author, text }: SaidText) =>
    `${safe(author)}: ${detailed ? safeLines(text) : oneLine(text, SAID_SHOWN)}`;
  if (due.length === 0) return detailed && said.length > 0 ? labelled('said', said.map(line).join('\n'), style) : [];
  const rows = alignTexts(due, said);
  if (rows.every(isSameText) && !detailed) return [];
  const lines = rows.flatMap((row) => {
    if (row.said !== null && isSameText(row)) return [`  ${line(row.said)}`];
    return [
      ...(row.expected === null ? [] : [colors.red(`- ${line(row.expected)}`)]),
      ...(row.said === null ? [] : [colors.green(`+ ${line(row.said)}`)]),
    ];
  });
  return labelled('said', lines.join('\n'), style, 4);
}

/**
 * Formats the calls made, next to the expected ones if they differ. Also returns the evidence that this makes
 * redundant.
 */
function formatCalls(
  { actual, expected, scores }: ShownTurn,
  style: Style,
): { readonly lines: readonly string[]; readonly drawn: Evidence | null } {
  const { colors, detailed } = style;
  if (actual === undefined) {
    // If the turn did not happen, no call counts as missing: what matters is the failure.
    const calls = detailed && expected !== undefined ? toolCalls(expected) : [];
    const text = calls.map((call) => formatCall(call, detailed)).join('\n');
    return { lines: text === '' ? [] : labelled('expects', text, style, 2), drawn: null };
  }
  const made = toolSteps(actual);
  const due = expected === undefined ? made.map(({ call }) => call) : toolCalls(expected);
  const asExpected = made.length === due.length && made.every(({ call }, place) => isSameCall(call, due[place] ?? {}));
  if (asExpected) {
    const calls = due.map((call) => formatCall(call, detailed)).join('\n');
    const lines = detailed || calls !== '' ? labelled('calls', calls || colors.dim('(none)'), style) : [];
    const same = detailed && expected !== undefined;
    return { lines: same ? [...lines, ...labelled('', colors.dim('as expected'), style)] : lines, drawn: null };
  }
  const ofTurn = scores.map(({ turn }) => turn.score);
  const { rows, evidence } = alignCalls(due, made, ofTurn);
  return { lines: labelled('calls', formatRows(rows, style), style, 4), drawn: evidence };
}

function formatAnswer({ actual, expected, scores }: ShownTurn, style: Style): readonly string[] {
  const { colors, detailed } = style;
  const nothing = colors.dim(actual === undefined ? '(this turn did not happen)' : '(none)');
  const wanted = contentText(expected?.finalResponse);
  const given = contentText(actual?.finalResponse);
  const looksSame = withoutBlanks(wanted) === withoutBlanks(given);
  if (expected === undefined || looksSame || (wanted === '' && !detailed)) {
    const lines = labelled('answer', (detailed ? safeLines(given) : truncate(safeLines(given), 600)) || nothing, style);
    if (expected === undefined || actual === undefined || !looksSame) return lines;
    if (wanted !== given) {
      return [...lines, ...labelled('', colors.dim('as expected, but for blanks or line breaks at an end'), style)];
    }
    return detailed ? [...lines, ...labelled('', colors.dim('as expected'), style)] : lines;
  }
  const diff = given === '' ? null : wordDiff(wanted, given, style);
  const lines: string[] = [];
  if (detailed || diff === null) {
    const [left, right] = sideBySide(wanted, given, detailed);
    lines.push(...labelled('expected', left || colors.dim('(none)'), style));
    lines.push(...labelled('answer', right || nothing, style));
  }
  if (diff !== null && (!detailed || scores.some(explainsVerdict))) {
    lines.push(...labelled(detailed ? 'diff' : 'answer', diff, style));
  }
  return lines;
}

/** Removes invisible whitespace: at the ends of lines, and empty lines around the text. */
function withoutBlanks(text: string): string {
  return text
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .trim();
}

function formatScored(scored: Scored, drawn: Evidence | null, margin: number, style: Style): string {
  const { criterion, turn, range } = scored;
  const { value, reached, score } = turn;
  const { reason, ...bare } = score;
  // The reason why the case could not be judged has already been shown.
  const isShown = criterion.verdict === 'not-evaluated' && reason !== undefined && criterion.reason?.includes(reason);
  const shown = { value, reached, threshold: criterion.threshold, range, drawn, margin };
  return formatTurnScore(criterion.name, isShown && !style.detailed ? bare : score, shown, style);
}
