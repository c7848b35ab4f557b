import { contentText, type Invocation, type Missing, type Score, toolCalls } from '@agent-criteria/core';
import type { CaseResult, CriterionResult, TurnResult, UnitResult } from '@agent-criteria/core/host';
import { type RunCase, type RunRecord, type RunSet, type UsageRole, usageOf } from '@agent-criteria/results';
import { csvLine } from './csv-line.ts';
import { callsOf, usedBy } from './format-usage.ts';
import { jsonText } from './json-text.ts';
import { isFinished, runProblems } from './run-notes.ts';
import { safeLines } from './terminal.ts';

const USAGE = ['calls', 'live_calls', 'input_tokens', 'output_tokens', 'cost', 'calls_without_price'] as const;

type UsageColumn = `${UsageRole}_${(typeof USAGE)[number]}`;

const usageColumns = (role: UsageRole): UsageColumn[] => USAGE.map((name): UsageColumn => `${role}_${name}`);

/** ADK's columns, then ours. */
const COLUMNS = [
  ...(['eval_set_id', 'eval_id', 'metric_name', 'threshold', 'score', 'eval_status', 'prompt'] as const),
  ...(['expected_response', 'actual_response', 'expected_tool_calls', 'actual_tool_calls'] as const),
  ...(['verdict', 'metric_verdict', 'metric_score', 'coverage', 'missing', 'reason', 'repeat', 'turn'] as const),
  ...(['ending', 'ending_reason'] as const),
  ...[...usageColumns('agent'), ...usageColumns('judge'), ...usageColumns('simulator')],
  'run_finished',
] as const;

type Row = Readonly<Partial<Record<(typeof COLUMNS)[number] | 'variant', string | number | boolean | null>>>;

export interface CsvOptions {
  /**
   * Whether the report goes to a terminal or a log rather than a file. If so, `safeLines` escapes strings that could
   * act as commands. Default `false`.
   */
  readonly printed?: boolean | undefined;
}

/**
 * Generates CSV (RFC 4180) for a run, with a row for each criterion of each turn of each repeat of each case. A case's
 * usage is only in its first row, so that the column adds up to the run's usage. A cell that a spreadsheet would take
 * for a formula begins with an apostrophe.
 */
export async function* csvReport(run: RunRecord, { printed = false }: CsvOptions = {}): AsyncGenerator<string> {
  const runFinished = isFinished(run.info);
  // Appended, so that the other columns keep their positions in runs with a single agent.
  const columns = run.info.variants === undefined ? COLUMNS : ([...COLUMNS, 'variant'] as const);
  const line = (row: Row) => {
    const cells: Row = { run_finished: runFinished, ...row };
    return csvLine(
      columns.map((column) => {
        const cell = cells[column];
        return printed && typeof cell === 'string' ? safeLines(cell) : cell;
      }),
    );
  };
  yield csvLine(columns);
  if (run.summary.total === 0) yield line({ reason: runProblems(run).join(' ') });
  for (const set of run.sets) {
    for await (const one of run.cases(set.id)) {
      const { result } = one;
      const { caseId, verdict, variant } = result;
      const head: Row = { eval_set_id: set.id, eval_id: caseId, verdict, variant: variant ?? null };
      yield rowsOf(set, one)
        .map((row, place) => line({ ...head, ...row, ...(place === 0 ? usageCells(one) : {}) }))
        .join('');
    }
  }
}

function usageCells(one: RunCase): Row {
  const cells = usedBy(usageOf(one)).map(([role, usage]): Row => {
    const { live, tokens, cost, callsWithoutPrice } = usage;
    return {
      [`${role}_calls`]: callsOf(usage),
      [`${role}_live_calls`]: live,
      [`${role}_input_tokens`]: tokens?.inputTokens ?? null,
      [`${role}_output_tokens`]: tokens?.outputTokens ?? null,
      [`${role}_cost`]: cost,
      [`${role}_calls_without_price`]: callsWithoutPrice,
    };
  });
  return Object.assign({}, ...cells) as Row;
}

function rowsOf(set: RunSet, one: RunCase): readonly Row[] {
  const { result } = one;
  if (result.units.length === 0)
    return [{ eval_status: 'NOT_EVALUATED', missing: 'not-scored', reason: result.reason ?? null }];
  return result.units.flatMap((unit) => {
    const scored = result.criteria.flatMap((criterion) => {
      const turns = criterion.turns.filter(({ repeat }) => repeat === unit.repeat);
      // A conversation without turns has no scores, but it still has a verdict.
      if (turns.length === 0)
        return [{ ...criterionCells(criterion), ...unitCells(unit), reason: criterion.reason ?? '' }];
      return turns.map((turn) => ({
        ...criterionCells(criterion),
        ...scoreCells(set, criterion, turn),
        ...turnCells(one, unit, turn.turn),
      }));
    });
    const rows = endedInError(unit) || scored.length === 0 ? unscoredRows(one, unit) : scored;
    return rows.map((row) => ({ ...row, ...endingCells(unit) }));
  });
}

/** Returns rows for each turn before the failure, and for the turn that failed. */
function unscoredRows(one: RunCase, unit: UnitResult): readonly Row[] {
  const done = one.inferences.find(({ key }) => key.repeat === unit.repeat)?.inference.invocations.length ?? 0;
  const due = one.evalCase.conversation?.length ?? 0;
  const turns = Math.max(Math.min(done + 1, Math.max(due, done)), 1);
  return Array.from({ length: turns }, (_, turn) => ({
    ...turnCells(one, unit, turn),
    eval_status: unit.ending.by === 'error' && unit.ending.of === 'agent' ? 'FAILED' : 'NOT_EVALUATED',
    missing: 'not-scored',
    reason: reasonOf(unit, one.result),
  }));
}

function reasonOf({ ending }: UnitResult, result: CaseResult): string {
  return ending.by === 'error' ? ending.error.message : (ending.reason ?? result.reason ?? `ended by ${ending.by}`);
}

function endedInError({ ending }: UnitResult): boolean {
  return ending.by === 'error' || ending.by === 'abort';
}

function criterionCells({ name, threshold, verdict, score, coverage }: CriterionResult): Row {
  return { metric_name: name, threshold, metric_verdict: verdict, metric_score: score, coverage };
}

function scoreCells(set: RunSet, criterion: CriterionResult, { value, reached, score }: TurnResult): Row {
  const decides = set.criteria.find(({ name }) => name === criterion.name)?.decides ?? criterion.threshold !== null;
  const missing = value === null ? missingOf(score) : null;
  const judged = reached === null ? 'NOT_EVALUATED' : reached ? 'PASSED' : 'FAILED';
  return { score: value, eval_status: decides ? judged : 'INFORMATIONAL', missing, reason: score.reason ?? '' };
}

/**
 * Returns the reason why there is no score. Parts that could not be judged take precedence over those that do not
 * apply.
 */
function missingOf(score: Score): Missing {
  if ('missing' in score) return score.missing;
  const parts = 'parts' in score ? score.parts.map(missingOf) : [];
  return parts.length === 0 || parts.includes('could-not-judge') ? 'could-not-judge' : 'not-applicable';
}

function endingCells({ ending }: UnitResult): Row {
  return { ending: ending.by, ending_reason: ending.by === 'error' ? ending.error.message : (ending.reason ?? '') };
}

function unitCells(unit: UnitResult): Row {
  return { repeat: unit.repeat + 1, eval_status: 'NOT_EVALUATED' };
}

/** Returns the cells of a turn or, for a whole conversation, only the repeat. */
function turnCells({ evalCase, inferences }: RunCase, unit: UnitResult, turn: number | null): Row {
  const repeat = unit.repeat + 1;
  if (turn === null) return { repeat };
  const found = inferences.find(({ key }) => key.repeat === unit.repeat);
  const actual = found?.inference.invocations[turn];
  const expected = evalCase.conversation?.[turn];
  return {
    repeat,
    turn: turn + 1,
    prompt: contentText((expected ?? actual)?.userContent),
    expected_response: contentText(expected?.finalResponse),
    actual_response: contentText(actual?.finalResponse),
    expected_tool_calls: callsText(expected),
    actual_tool_calls: callsText(actual),
  };
}

/** Formats the calls as JSON, one per line. */
function callsText(invocation: Invocation | undefined): string {
  if (invocation === undefined) return '';
  return toolCalls(invocation)
    .map(({ name, args }) => jsonText({ name: name ?? null, args: args ?? {} }))
    .join('\n');
}
