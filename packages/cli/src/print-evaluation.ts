import {
  type CaseResult,
  type CriterionResult,
  contentText,
  type FunctionCall,
  formatProblem,
  type Invocation,
  type Plan,
  type PlannedCriterion,
  type Problem,
  type Summary,
  type TurnResult,
  toolCalls,
  type Verdict,
} from '@agent-criteria/core';
import type { UnitInference } from '@agent-criteria/runner';
import { type Io, painter } from './io.ts';
import { formatEvidence, formatScore, wordDiff } from './print-score.ts';
import { indent, oneLine, safe, table } from './terminal.ts';

/** An eval set after its run. */
export interface EvaluatedSet {
  readonly file: string;
  readonly configFile: string | null;
  readonly plan: Plan;
  readonly warnings: readonly Problem[];
  readonly inferences: readonly UnitInference[];
  readonly cases: readonly CaseResult[];
}

export function printWarnings(warnings: readonly Problem[], io: Io): void {
  const colors = painter(io);
  for (const warning of warnings) io.err(`${colors.yellow('warning')}: ${safe(formatProblem(warning))}\n`);
}

/** What is going to run and by what it is judged. */
export function printPlan(set: Pick<EvaluatedSet, 'file' | 'configFile' | 'plan'>, repeats: number, io: Io): void {
  const { plan } = set;
  const { evalSetId, evalCases } = plan.evalSet;
  const colors = painter(io);
  const count = `${evalCases.length} ${evalCases.length === 1 ? 'case' : 'cases'}${repeats > 1 ? `, ${repeats} times each` : ''}`;
  io.out(`${colors.bold(safe(evalSetId))}: ${count} from ${set.file}\n`);
  io.out(
    `judged by ${plan.criteria.map(formatRule).join(', ')} (${set.configFile ?? "ADK's defaults, no config found"})`,
  );
  io.out(`${plan.compat === 'adk' ? ', with the numbers of ADK Python' : ''}\n\n`);
}

function formatRule(planned: PlannedCriterion): string {
  if (planned.threshold === null) return `${planned.name} (only measured)`;
  const coverage = planned.minCoverage < 1 ? ` with at least ${planned.minCoverage * 100} % scored` : '';
  return `${planned.name} ${planned.criterion.range.better === 'higher' ? '>=' : '<='} ${planned.threshold}${coverage}`;
}

/** The table, every case in detail if wanted, and then, last, what did not pass and why. */
export function printSet(set: EvaluatedSet, detailed: boolean, io: Io): void {
  const { plan, cases } = set;
  const colors = painter(io);
  const rows = cases.map((result) => [
    oneLine(result.caseId, 48),
    ...plan.criteria.map((planned) => cell(result.criteria.find((found) => found.name === planned.name))),
    result.verdict,
  ]);
  const header = ['case', ...plan.criteria.map((planned) => planned.name), 'verdict'];
  const paint = (text: string, row: number, column: number): string => {
    if (row === 0) return colors.dim(text);
    return column === header.length - 1 ? paintVerdict(text as Verdict, io) : text;
  };
  io.out(`${table([header, ...rows], paint)}\n`);
  io.out(`${colors.dim('score (turns scored of turns that apply)')}\n\n`);
  if (detailed) for (const result of cases) printCase(set, result, true, io);
  const bad = cases.filter((result) => result.verdict !== 'passed' && result.verdict !== 'informational');
  if (!detailed) for (const result of bad) printCase(set, result, false, io);
  printCaseWarnings(cases, io);
}

function cell(result: CriterionResult | undefined): string {
  if (result === undefined) return '-';
  if (result.verdict === 'skipped') return 'skipped';
  const { scored, couldNotJudge } = result.counts;
  return `${formatScore(result.score)} (${scored}/${scored + couldNotJudge})`;
}

function paintVerdict(verdict: Verdict, io: Io): string {
  const colors = painter(io);
  if (verdict === 'passed') return colors.green(verdict);
  return verdict === 'failed' || verdict === 'error' ? colors.red(verdict) : colors.yellow(verdict);
}

/** One case: its reason, then its turns; only what matters to the reason unless `detailed`. */
function printCase(set: EvaluatedSet, result: CaseResult, detailed: boolean, io: Io): void {
  const colors = painter(io);
  const evalCase = set.plan.evalSet.evalCases.find((candidate) => candidate.evalId === result.caseId);
  const title = `${colors.bold(safe(result.caseId))} ${paintVerdict(result.verdict, io)}`;
  io.out(`${title}${result.reason === undefined ? '' : `\n${indent(safe(result.reason), 2)}`}\n`);
  for (const unit of result.units) {
    const inference = set.inferences.find(
      (found) => found.key.caseId === result.caseId && found.key.repeat === unit.repeat,
    )?.inference;
    if (result.units.length > 1)
      io.out(
        `  ${colors.dim(`repeat ${unit.repeat + 1} of ${result.units.length}:`)} ${paintVerdict(unit.verdict, io)}\n`,
      );
    if (inference === undefined) continue;
    const turns = Math.max(inference.invocations.length, evalCase?.conversation?.length ?? 0);
    for (let index = 0; index < turns; index++) {
      const scores = result.criteria.flatMap((criterion) =>
        criterion.turns
          .filter((turn) => turn.repeat === unit.repeat && turn.turn === index)
          .map((turn) => ({ criterion, turn })),
      );
      const interesting = scores.some(({ turn }) => turn.reached !== true) || scores.length === 0;
      if (!detailed && !interesting) continue;
      printTurn(index, inference.invocations[index], evalCase?.conversation?.[index], scores, detailed, io);
    }
    for (const criterion of result.criteria) {
      for (const turn of criterion.turns) {
        if (turn.repeat === unit.repeat && turn.turn === null) printTurnScore(criterion, turn, io);
      }
    }
    if (inference.ending.by !== 'end-of-case') io.out(`  ${colors.dim('ended by')} ${inference.ending.by}\n`);
  }
  io.out('\n');
}

function printTurn(
  index: number,
  actual: Invocation | undefined,
  expected: Invocation | undefined,
  scores: readonly { criterion: CriterionResult; turn: TurnResult }[],
  detailed: boolean,
  io: Io,
): void {
  const colors = painter(io);
  const line = (label: string, text: string): void => io.out(`    ${colors.dim(label.padEnd(10))}${text}\n`);
  io.out(`  ${colors.dim(`turn ${index + 1}`)}\n`);
  line('prompt', oneLine(contentText((actual ?? expected)?.userContent), 200));
  const [said, wanted] = [contentText(actual?.finalResponse), contentText(expected?.finalResponse)];
  if (expected !== undefined && said !== wanted && actual !== undefined) {
    line('answer', wordDiff(wanted, said, io));
  } else {
    line('answer', actual === undefined ? colors.dim('(the turn did not happen)') : safe(said) || colors.dim('(none)'));
  }
  if (detailed && expected !== undefined) line('expected', safe(wanted) || colors.dim('(none)'));
  const [made, due] = [formatCalls(actual), formatCalls(expected)];
  if (made !== '' || due !== '' || detailed) {
    if (expected !== undefined && made !== due)
      line(
        'calls',
        `${colors.red(due || '(none expected)')} ${colors.dim('->')} ${colors.green(made || '(none made)')}`,
      );
    else line('calls', made || colors.dim('(none)'));
  }
  for (const { criterion, turn } of scores) printTurnScore(criterion, turn, io);
}

function printTurnScore(criterion: CriterionResult, turn: TurnResult, io: Io): void {
  const colors = painter(io);
  const { score } = turn;
  const value = turn.value === null && 'missing' in score ? score.missing : formatScore(turn.value);
  const painted = turn.reached === false ? colors.red(value) : value;
  io.out(`    ${criterion.name} ${painted}${score.reason === undefined ? '' : `: ${safe(score.reason)}`}\n`);
  if ('parts' in score) {
    for (const part of score.parts) {
      const partValue =
        'value' in part && part.value !== null ? formatScore(part.value) : 'missing' in part ? part.missing : 'parts';
      io.out(
        `      ${safe(part.text ?? part.id)} ${partValue}${part.reason === undefined ? '' : `: ${safe(part.reason)}`}\n`,
      );
    }
  }
  if (turn.reached === true) return;
  for (const evidence of score.evidence ?? []) io.out(`${indent(formatEvidence(evidence, io), 6)}\n`);
}

function formatCalls(invocation: Invocation | undefined): string {
  return invocation === undefined ? '' : toolCalls(invocation).map(formatCall).join(', ');
}

function formatCall(call: FunctionCall): string {
  return safe(`${call.name ?? '(no name)'}(${call.args ? oneLine(JSON.stringify(call.args), 160) : ''})`);
}

/** Warnings of criteria, each once with the number of cases. */
function printCaseWarnings(cases: readonly CaseResult[], io: Io): void {
  const seen = new Map<string, string[]>();
  for (const result of cases) {
    for (const criterion of result.criteria) {
      for (const warning of criterion.warnings) {
        const text = `${criterion.name}: ${warning}`;
        seen.set(text, [...(seen.get(text) ?? []), result.caseId]);
      }
    }
  }
  printWarnings(
    [...seen].map(([text, ids]) => ({
      code: 'INVALID_DATA',
      message: `${text} (${ids.slice(0, 3).join(', ')}${ids.length > 3 ? ` and ${ids.length - 3} more` : ''})`,
    })),
    io,
  );
}

/** The last line: how many of each verdict. */
export function printSummary(summary: Summary, io: Io): void {
  const parts = (Object.entries(summary.verdicts) as [Verdict, number][])
    .filter(([, count]) => count > 0)
    .map(([verdict, count]) => paintVerdict(verdict, io).replace(verdict, `${count} ${verdict}`));
  io.out(`${parts.join(', ')} of ${summary.total} ${summary.total === 1 ? 'case' : 'cases'}\n`);
  if (summary.nothingJudged) io.out('Nothing was judged: every criterion of this config only measures.\n');
}
