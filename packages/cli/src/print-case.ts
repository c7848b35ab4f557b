import {
  type CaseResult,
  type CriterionResult,
  contentText,
  type Evidence,
  type Inference,
  type Invocation,
  type Score,
  type TurnResult,
  toolCalls,
  type UnitResult,
} from '@agent-criteria/core';
import { userStack } from '@agent-criteria/runner/load';
import type { EvaluatedSet } from './evaluated-set.ts';
import { type Io, painter } from './io.ts';
import { paintVerdict } from './paint-verdict.ts';
import { alignCalls, formatCall, formatRows, isSame } from './print-calls.ts';
import { cut, formatScore, formatTurnScore, sideBySide, wordDiff } from './print-score.ts';
import { indent, oneLine, safe } from './terminal.ts';

/** Every case of a set that did not go wrong, in full: the others come last. */
export function printCases(set: EvaluatedSet, io: Io): void {
  for (const result of set.cases.filter((result) => !isBad(result))) printCase(set, result, true, io);
}

/** What did not pass, and why. */
export function printFailures(sets: readonly EvaluatedSet[], detailed: boolean, io: Io): void {
  const colors = painter(io);
  const bad = sets.flatMap((set) => set.cases.filter(isBad).map((result) => ({ set, result })));
  const told = bad.filter(({ result }) => !result.units.every((unit) => unit.ending.by === 'abort'));
  const legend = colors.dim('([-expected-] {+actual+}, calls: - expected + made)');
  if (told.length > 0) io.out(`What did not pass ${legend}:\n\n`);
  for (const { set, result } of told) {
    if (sets.length > 1) io.out(colors.dim(`${safe(set.plan.evalSet.evalSetId)}, `));
    printCase(set, result, detailed, io);
  }
  const aborted = bad.length - told.length;
  if (aborted > 0) io.out(`${aborted} ${aborted === 1 ? 'case was' : 'cases were'} not finished.\n`);
}

function isBad(result: CaseResult): boolean {
  return result.verdict !== 'passed' && result.verdict !== 'informational';
}

/** One case: its criteria, then its turns; only what matters to the verdict unless `detailed`. */
function printCase(set: EvaluatedSet, result: CaseResult, detailed: boolean, io: Io): void {
  const colors = painter(io);
  io.out(`${colors.bold(safe(result.caseId))}: ${paintVerdict(result.verdict, io)}\n`);
  if (result.criteria.length === 0 && result.reason !== undefined) io.out(`${indent(safe(result.reason), 2)}\n`);
  for (const criterion of result.criteria) {
    if (!detailed && criterion.verdict !== 'failed' && criterion.verdict !== 'not-evaluated') continue;
    io.out(`  ${safe(criterion.name)}${describeResult(criterion, set)}\n`);
  }
  for (const unit of result.units) {
    const { repeat } = unit;
    const found = set.inferences.find(({ key }) => key.caseId === result.caseId && key.repeat === repeat);
    if (result.units.length > 1) {
      io.out(`  ${colors.dim(`repeat ${repeat + 1} of ${result.units.length}:`)} ${paintVerdict(unit.verdict, io)}\n`);
    }
    if (found) printUnit({ set, result, unit, inference: found.inference, detailed }, io);
  }
  io.out('\n');
}

/** What a criterion came to, as the rest of a sentence; why a turn scored as it did stands beside the turn. */
function describeResult(result: CriterionResult, set: EvaluatedSet): string {
  const { verdict, threshold, coverage, reason } = result;
  const better = set.plan.criteria.find(({ name }) => name === result.name)?.criterion.range.better ?? 'higher';
  const covered = coverage === null || coverage === 1 ? '' : ` (${Math.floor(coverage * 1000) / 10} % scored)`;
  const score = ` ${formatScore(result.score, threshold)}${covered}`;
  if (verdict === 'failed' && result.score !== null) {
    return `${score} is ${better === 'higher' ? 'below' : 'above'} the threshold ${threshold}`;
  }
  if (verdict === 'passed') return `${score} reaches the threshold ${threshold}`;
  if (verdict === 'informational') return `${score}, only measured`;
  return `: ${safe(reason ?? verdict)}`;
}

interface Shown {
  readonly set: EvaluatedSet;
  readonly result: CaseResult;
  readonly unit: UnitResult;
  readonly inference: Inference;
  readonly detailed: boolean;
}

/** A score of a turn with the criterion that gave it. */
interface Scored {
  readonly criterion: CriterionResult;
  readonly turn: TurnResult;
}

function printUnit(shown: Shown, io: Io): void {
  const { set, result, unit, inference, detailed } = shown;
  const colors = painter(io);
  const evalCase = set.plan.evalSet.evalCases.find((candidate) => candidate.evalId === result.caseId);
  const expected = evalCase?.conversation ?? [];
  const { ending, invocations } = { ...inference, ending: unit.ending };
  const scores: readonly Scored[] = result.criteria.flatMap((criterion) =>
    criterion.turns.filter((turn) => turn.repeat === unit.repeat).map((turn) => ({ criterion, turn })),
  );
  const broke = ending.by === 'error' || ending.by === 'abort' ? invocations.length : null;
  const telling = scores.filter(isTelling);
  // A mean that fails although no turn does is explained by all of them.
  const allMatter = broke === null && telling.length === 0 && unit.verdict === 'failed';
  for (let index = 0; index < Math.max(invocations.length, expected.length); index++) {
    const here = scores.filter(({ turn }) => turn.turn === index);
    const matters = allMatter || index === broke || here.some((one) => telling.includes(one));
    if (detailed || matters) printTurn(index, invocations[index], expected[index], here, detailed, io);
  }
  for (const one of scores.filter(({ turn }) => turn.turn === null)) {
    if (detailed || isTelling(one)) io.out(`${indent(formatScored(one, detailed, null, io), 2)}\n`);
  }
  if (ending.by === 'error') {
    const frames = userStack({ message: '', stack: ending.error.stack })
      .split('\n')
      .filter((line) => /^\s+at /.test(line));
    for (const frame of frames.slice(0, detailed ? frames.length : 3)) io.out(`  ${colors.dim(safe(frame))}\n`);
  }
  if (ending.by !== 'end-of-case' && ending.by !== 'error') io.out(`  ${colors.dim(`ended by ${ending.by}`)}\n`);
  if (ending.reason !== undefined) io.out(`  ${colors.dim(safe(ending.reason))}\n`);
}

function isTelling({ turn }: Scored): boolean {
  return turn.reached === false || couldNotJudge(turn.score);
}

function couldNotJudge(score: Score): boolean {
  return 'parts' in score
    ? score.parts.some(couldNotJudge)
    : score.value === null && score.missing === 'could-not-judge';
}

/** Prints a labelled text of a turn, its lines below each other. */
type Line = (label: string, text: string) => void;

function printTurn(
  index: number,
  actual: Invocation | undefined,
  expected: Invocation | undefined,
  scores: readonly Scored[],
  detailed: boolean,
  io: Io,
): void {
  const colors = painter(io);
  const line: Line = (label, text) => {
    const [first = '', ...rest] = text.split('\n');
    io.out(`    ${colors.dim(label.padEnd(10))}${first}\n`);
    for (const more of rest) io.out(`${indent(more, 14)}\n`);
  };
  io.out(`  ${colors.dim(`turn ${index + 1}`)}\n`);
  const prompt = contentText((actual ?? expected)?.userContent);
  line('prompt', detailed ? safe(prompt) : oneLine(prompt, 200));
  printAnswer(actual, expected, scores, detailed, line, io);

  const drawn = printCalls(actual, expected, scores, detailed, line, io);
  for (const one of scores) io.out(`${indent(formatScored(one, detailed, drawn, io), 4)}\n`);
}

/** The calls that were made, beside the expected ones where they differ; gives the evidence that this has drawn. */
function printCalls(
  actual: Invocation | undefined,
  expected: Invocation | undefined,
  scores: readonly Scored[],
  detailed: boolean,
  line: Line,
  io: Io,
): Evidence | null {
  const made = actual === undefined ? [] : toolCalls(actual);
  const due = expected === undefined ? made : toolCalls(expected);
  const asExpected = made.length === due.length && made.every((call, place) => isSame(call, due[place] ?? {}));
  if (actual === undefined || asExpected) {
    const calls = due.map((call) => formatCall(call, detailed)).join('\n');
    if (detailed || calls !== '') line('calls', calls || painter(io).dim('(none)'));
    if (detailed && expected !== undefined && actual !== undefined) line('', painter(io).dim('as expected'));
    return null;
  }
  const { rows, evidence } = alignCalls(
    due,
    made,
    scores.map(({ turn }) => turn.score),
    detailed,
  );
  line('calls', formatRows(rows, detailed, io));
  return evidence;
}

function printAnswer(
  actual: Invocation | undefined,
  expected: Invocation | undefined,
  scores: readonly Scored[],
  detailed: boolean,
  line: Line,
  io: Io,
): void {
  const colors = painter(io);
  const nothing = (invocation: Invocation | undefined) =>
    invocation === undefined ? '(the turn did not happen)' : '(none)';
  const wanted = contentText(expected?.finalResponse);
  const given = contentText(actual?.finalResponse);
  if (expected === undefined || wanted === given || (wanted === '' && !detailed)) {
    line('answer', (detailed ? safe(given) : cut(safe(given), 600)) || colors.dim(nothing(actual)));
    if (detailed && expected !== undefined && actual !== undefined) line('', colors.dim('as expected'));
    return;
  }
  const diff = given === '' ? null : wordDiff(wanted, given, io);
  if (detailed || diff === null) {
    const [left, right] = sideBySide(wanted, given, detailed);
    line('expected', left || colors.dim('(none)'));
    line('answer', right || colors.dim(nothing(actual)));
  }
  if (diff !== null && (!detailed || scores.some(isTelling))) line(detailed ? 'diff' : 'answer', diff);
}

function formatScored({ criterion, turn }: Scored, detailed: boolean, drawn: Evidence | null, io: Io): string {
  const { value, reached, score } = turn;
  const { reason, ...bare } = score;
  // What the case could not be judged for stands above already.
  const told = criterion.verdict === 'not-evaluated' && reason !== undefined && criterion.reason?.includes(reason);
  const shown = { value, reached, threshold: criterion.threshold, detailed, drawn };
  return formatTurnScore(criterion.name, told && !detailed ? bare : score, shown, io);
}
