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
import { groupBy, type RunCase, type RunSet, usageOf } from '@agent-criteria/results';
import { alignCalls, alignTexts, couldNotJudge, isSameCall, type SaidRow, type SaidText } from '@agent-criteria/viewer';
import { hasBadRepeat, isBad, meanOfTurnsText, rangeOf, repeatsText, resultScore } from './case-facts.ts';
import { endingText } from './endings.ts';
import { formatCall, formatRows } from './format-calls.ts';
import { formatTurnScore, sideBySide, wordDiff } from './format-score.ts';
import { stubLines } from './format-stubs.ts';
import { usageLines } from './format-usage.ts';
import { type Look, paintVerdict } from './look.ts';
import { ownFrames } from './own-frames.ts';
import { cut, told, wrapped } from './prose.ts';
import { indent, oneLine, safe, safeLines } from './terminal.ts';

/** How the differences inside a case are drawn. */
export const LEGEND = '[-expected-] {+actual+}, calls: - expected + made';

/** How much is shown of a text on the way, unless everything is wanted. */
const SAID_SHOWN = 200;

/** One case: its verdict, its criteria, then its turns; only what matters to the verdict unless `detailed`. */
export function formatCase(set: RunSet, one: RunCase, look: Look): string {
  const { colors, detailed } = look;
  const { result } = one;
  const repeats = isBad(result.verdict) ? '' : repeatsText(result);
  const byWhom = one.variant === undefined ? '' : ` (${safe(one.variant)})`;
  const lines = [`${colors.bold(safe(result.caseId))}${byWhom}: ${paintVerdict(result.verdict, look)}${repeats}`];
  const shown = result.criteria.filter(
    ({ verdict }) => detailed || verdict === 'failed' || verdict === 'not-evaluated',
  );
  // Criteria that are told of say why themselves, and so do repeats that broke.
  const explained =
    result.verdict === 'not-evaluated' ? shown.filter(({ verdict }) => verdict === 'not-evaluated') : shown;
  const says =
    explained.length > 0 || (result.units.length > 1 && result.units.some(({ ending }) => ending.by === 'error'));
  if (!says && result.reason !== undefined) lines.push(indent(wrapped(told(result.reason, look), 2, look), 2));
  for (const criterion of shown)
    lines.push(indent(wrapped(`${safe(criterion.name)}${describeResult(criterion, set, look)}`, 2, look), 2));
  if (detailed) lines.push(...stubLines(one.evalCase).map((line) => indent(colors.dim(safe(`stubbed: ${line}`)), 2)));
  const bad = result.units.filter(({ verdict }) => isBad(verdict));
  const all = result.units.length;
  for (const { units, text } of sameRepeats(set, one, detailed || bad.length === 0 ? result.units : bad, look)) {
    const [first] = units;
    if (all > 1 && first !== undefined) {
      const which = repeatNames(
        units.map(({ repeat }) => repeat + 1),
        all,
      );
      lines.push(indent(wrapped(`${colors.dim(`${which}:`)} ${paintVerdict(first.verdict, look)}`, 2, look), 2));
    }
    lines.push(...text);
  }
  if (detailed) lines.push(...usageLines(usageOf(one), 2, look).map((line) => indent(colors.dim(line), 2)));
  lines.push(...formatCommand(one, look));
  return `${lines.join('\n')}\n`;
}

/** `repeat 2 of 5`, `repeats 1, 3`, `repeats 1 to 5`. */
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

/** Repeats with the same text are printed once. */
function sameRepeats(set: RunSet, one: RunCase, units: readonly UnitResult[], look: Look) {
  const repeats = units.map((unit) => ({ unit, text: formatRepeat(set, one, unit, look) }));
  return [...groupBy(repeats, ({ unit, text }) => [unit.verdict, ...text].join('\n')).values()].map((same) => {
    return { units: same.map(({ unit }) => unit), text: same[0]?.text ?? [] };
  });
}

function formatRepeat(set: RunSet, one: RunCase, unit: UnitResult, look: Look): readonly string[] {
  const { ending } = unit;
  const isOneOfMany = one.result.units.length > 1;
  const error =
    isOneOfMany && ending.by === 'error' ? [indent(wrapped(told(ending.error.message, look), 4, look), 4)] : [];
  const found = one.inferences.find(({ key }) => key.repeat === unit.repeat);
  return [
    ...error,
    ...(found ? formatUnit({ set, one, unit, inference: found.inference }, look) : formatLost(unit, look)),
  ];
}

/** The command that shows alone a case that is not well; nothing where it could not be typed as it is shown. */
function formatCommand(one: RunCase, { command, colors }: Look): readonly string[] {
  const { setId, caseId, verdict } = one.result;
  if (command === null || !(isBad(verdict) || hasBadRepeat(one))) return [];
  const line = one.variant === undefined ? command(setId, caseId) : command(setId, caseId, one.variant);
  return safe(line) !== line ? [] : [`  ${colors.dim('details:')} ${line}`];
}

/** What a criterion came to, as the rest of a sentence; why a turn scored as it did stands beside the turn. */
function describeResult(result: CriterionResult, set: RunSet, look: Look): string {
  const { verdict, score, threshold, coverage, reason } = result;
  const range = rangeOf(result, set);
  if (score === null) return `: ${told(reason ?? verdict, look)}`;
  const covered = coverage === null || coverage === 1 ? '' : ` (${formatShare(coverage)} scored)`;
  const number = ` ${resultScore(result, range)}${covered}${meanOfTurnsText(result)}`;
  if (threshold === null) return `${number}, only measured`;
  if (verdict !== 'passed' && verdict !== 'failed') return `: ${told(reason ?? verdict, look)}`;
  const compat = result.adkStatus === undefined ? null : 'adk';
  const reached = meetsThreshold(score, threshold, range, compat);
  // The verdict is ours, and the number of compat mode is ADK's: they may differ.
  if (reached !== (verdict === 'passed'))
    return `${number} in ADK, here ${verdict}${reason ? `: ${told(reason, look)}` : ''}`;
  if (reached) return `${number} reaches the threshold ${threshold}`;
  return `${number} is ${range.better === 'higher' ? 'below' : 'above'} the threshold ${threshold}`;
}

interface Shown {
  readonly set: RunSet;
  readonly one: RunCase;
  readonly unit: UnitResult;
  readonly inference: Inference;
}

/** A score of a turn with the criterion that gave it. */
interface Scored {
  readonly criterion: CriterionResult;
  readonly turn: TurnResult;
  readonly range: Range;
}

function formatUnit({ set, one, unit, inference }: Shown, look: Look): readonly string[] {
  const { detailed } = look;
  const { evalCase, result } = one;
  const expected = evalCase.conversation ?? [];
  const { ending } = unit;
  const { invocations } = inference;
  const byDefault = new Set(
    set.criteria.flatMap((criterion) => (criterion.byDefault === true ? [criterion.name] : [])),
  );
  // What every run measures explains no verdict.
  const shown = result.criteria.filter(({ name }) => !byDefault.has(name));
  const scores: readonly Scored[] = shown.flatMap((criterion) => {
    const range = rangeOf(criterion, set);
    return criterion.turns.filter(({ repeat }) => repeat === unit.repeat).map((turn) => ({ criterion, turn, range }));
  });
  const broke = ending.by === 'error' || ending.by === 'abort' ? invocations.length : null;
  const telling = scores.filter(isTelling);
  // A mean that fails although no turn does is explained by all of them.
  const allMatter = broke === null && telling.length === 0 && unit.verdict === 'failed';
  const lines: string[] = [];
  for (let index = 0; index < Math.max(invocations.length, expected.length); index++) {
    const here = scores.filter((one) => one.turn.turn === index && (detailed || !isUnmeasured(one)));
    const matters = allMatter || index === broke || here.some((one) => telling.includes(one));
    if (detailed || matters) {
      const [actual, due] = [invocations[index], expected[index]];
      lines.push(...formatTurn(index, { actual, expected: due, scores: here }, look));
    }
  }
  for (const one of scores.filter(({ turn }) => turn.turn === null)) {
    if (detailed || isTelling(one)) lines.push(indent(formatScored(one, null, 2, look), 2));
  }
  return [...lines, ...formatEnding(unit, invocations.length, result.reason, look)];
}

/** A repeat whose inference is not recorded: what it came to is known, not what happened. */
function formatLost(unit: UnitResult, look: Look): readonly string[] {
  return [`  ${look.colors.dim('what happened is not recorded')}`, ...formatEnding(unit, null, undefined, look)];
}

/** @param said What stands above already. */
function formatEnding(
  { ending }: UnitResult,
  turns: number | null,
  said: string | undefined,
  look: Look,
): readonly string[] {
  const { colors, detailed } = look;
  const lines: string[] = [];
  if (ending.by === 'error') {
    const frames = ownFrames(ending.error.stack);
    for (const frame of frames.slice(0, detailed ? frames.length : 3)) lines.push(`  ${colors.dim(safe(frame))}`);
  }
  const text = endingText(ending.reason === said ? { ...ending, reason: undefined } : ending, turns);
  if (text === null) return lines;
  const paint = ending.by === 'turn-limit' ? colors.yellow : colors.dim;
  return [...lines, indent(wrapped(paint(told(text, look)), 2, look), 2)];
}

/** Whether it explains a verdict. What is only measured explains none. */
function isTelling({ criterion, turn }: Scored): boolean {
  return criterion.verdict !== 'informational' && (turn.reached === false || couldNotJudge(turn.score));
}

/** A measure without a number: among the reasons of a verdict, it would look like one of them. */
function isUnmeasured({ criterion, turn }: Scored): boolean {
  return criterion.verdict === 'informational' && couldNotJudge(turn.score);
}

/** A turn as it was, as it should have been, and its scores. */
interface ShownTurn {
  readonly actual: Invocation | undefined;
  readonly expected: Invocation | undefined;
  readonly scores: readonly Scored[];
}

function formatTurn(index: number, turn: ShownTurn, look: Look): readonly string[] {
  const { colors, detailed } = look;
  const prompt = contentText((turn.actual ?? turn.expected)?.userContent);
  const calls = formatCalls(turn, look);
  return [
    `  ${colors.dim(`turn ${index + 1}`)}`,
    ...labelled('prompt', detailed ? safeLines(prompt) : oneLine(prompt, 200), look),
    ...formatSaid(turn, look),
    ...formatAnswer(turn, look),
    ...calls.lines,
    ...turn.scores.map((one) => indent(formatScored(one, calls.drawn, 4, look), 4)),
  ];
}

/** How far to the right the texts of a turn begin, behind their labels. */
const TEXT_MARGIN = 14;

/** A labelled text of a turn, its lines below each other. */
function labelled(label: string, text: string, look: Look, hang = 0): readonly string[] {
  const [first = '', ...rest] = wrapped(text, TEXT_MARGIN, look, hang).split('\n');
  return [`    ${look.colors.dim(label.padEnd(10))}${first}`, ...rest.map((more) => indent(more, TEXT_MARGIN))];
}

/**
 * What agents said on the way to the answer: of a sub-agent, often all that is seen of its work. Beside what they were
 * expected to say, where a case tells that and they said something else; the rest in detail only.
 */
function formatSaid({ actual, expected }: ShownTurn, look: Look): readonly string[] {
  const { colors, detailed } = look;
  const said = actual === undefined ? [] : intermediateTexts(actual);
  const due = expected === undefined ? [] : intermediateTexts(expected);
  const line = ({ author, text }: SaidText) =>
    `${safe(author)}: ${detailed ? safeLines(text) : oneLine(text, SAID_SHOWN)}`;
  if (due.length === 0) return detailed && said.length > 0 ? labelled('said', said.map(line).join('\n'), look) : [];
  const rows = alignTexts(due, said);
  const asExpected = rows.every((row) => isAsExpected(row));
  if (asExpected && !detailed) return [];
  const lines = rows.flatMap((row) =>
    isAsExpected(row)
      ? [`  ${line(row.said)}`]
      : [
          ...(row.expected === null ? [] : [colors.red(`- ${line(row.expected)}`)]),
          ...(row.said === null ? [] : [colors.green(`+ ${line(row.said)}`)]),
        ],
  );
  return labelled('said', lines.join('\n'), look, 4);
}

function isAsExpected(row: SaidRow): row is { readonly expected: SaidText; readonly said: SaidText } {
  const { expected, said } = row;
  return expected !== null && said !== null && expected.author === said.author && expected.text === said.text;
}

/** The calls that were made, beside the expected ones where they differ; and the evidence that this has drawn. */
function formatCalls(
  { actual, expected, scores }: ShownTurn,
  look: Look,
): { readonly lines: readonly string[]; readonly drawn: Evidence | null } {
  const { colors, detailed } = look;
  if (actual === undefined) {
    // In a turn that did not happen no call is missing: what broke it is the news.
    const calls = detailed && expected !== undefined ? toolCalls(expected) : [];
    const text = calls.map((call) => formatCall(call, detailed)).join('\n');
    return { lines: text === '' ? [] : labelled('expects', text, look, 2), drawn: null };
  }
  const made = toolSteps(actual);
  const due = expected === undefined ? made.map(({ call }) => call) : toolCalls(expected);
  const asExpected = made.length === due.length && made.every(({ call }, place) => isSameCall(call, due[place] ?? {}));
  if (asExpected) {
    const calls = due.map((call) => formatCall(call, detailed)).join('\n');
    const lines = detailed || calls !== '' ? labelled('calls', calls || colors.dim('(none)'), look) : [];
    const same = detailed && expected !== undefined;
    return { lines: same ? [...lines, ...labelled('', colors.dim('as expected'), look)] : lines, drawn: null };
  }
  const ofTurn = scores.map(({ turn }) => turn.score);
  const { rows, evidence } = alignCalls(due, made, ofTurn);
  return { lines: labelled('calls', formatRows(rows, look), look, 4), drawn: evidence };
}

function formatAnswer({ actual, expected, scores }: ShownTurn, look: Look): readonly string[] {
  const { colors, detailed } = look;
  const nothing = colors.dim(actual === undefined ? '(this turn did not happen)' : '(none)');
  const wanted = contentText(expected?.finalResponse);
  const given = contentText(actual?.finalResponse);
  const looksSame = withoutBlanks(wanted) === withoutBlanks(given);
  if (expected === undefined || looksSame || (wanted === '' && !detailed)) {
    const lines = labelled('answer', (detailed ? safeLines(given) : cut(safeLines(given), 600)) || nothing, look);
    if (expected === undefined || actual === undefined || !looksSame) return lines;
    if (wanted !== given) {
      return [...lines, ...labelled('', colors.dim('as expected, but for blanks or line breaks at an end'), look)];
    }
    return detailed ? [...lines, ...labelled('', colors.dim('as expected'), look)] : lines;
  }
  const diff = given === '' ? null : wordDiff(wanted, given, look);
  const lines: string[] = [];
  if (detailed || diff === null) {
    const [left, right] = sideBySide(wanted, given, detailed);
    lines.push(...labelled('expected', left || colors.dim('(none)'), look));
    lines.push(...labelled('answer', right || nothing, look));
  }
  if (diff !== null && (!detailed || scores.some(isTelling))) {
    lines.push(...labelled(detailed ? 'diff' : 'answer', diff, look));
  }
  return lines;
}

/** A text as it looks: blanks at the ends of lines, and empty lines around it, cannot be seen. */
function withoutBlanks(text: string): string {
  return text
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .trim();
}

function formatScored(scored: Scored, drawn: Evidence | null, margin: number, look: Look): string {
  const { criterion, turn, range } = scored;
  const { value, reached, score } = turn;
  const { reason, ...bare } = score;
  // What the case could not be judged for stands above already.
  const told = criterion.verdict === 'not-evaluated' && reason !== undefined && criterion.reason?.includes(reason);
  const shown = { value, reached, threshold: criterion.threshold, range, drawn, margin };
  return formatTurnScore(criterion.name, told && !look.detailed ? bare : score, shown, look);
}
