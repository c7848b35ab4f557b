import { contentText, type EvalCase, type Inference, type Invocation, type Part } from '@agent-criteria/core';
import { inference, message } from '@agent-criteria/core/testing';
import { responseMatch } from '@agent-criteria/criteria-rouge/pure';
import { rouge1 } from '../../../packages/criteria-rouge/src/rouge.ts';
import { comesTo, explained, type Outcome, type Status, shownOf, type Value } from '../as-lines-say.ts';
import { type Driver, driver } from '../driver.ts';
import type { Held } from '../held.ts';
import { refusedConversation } from '../refused-conversation.ts';
import { adkOutcome, type Mode, ourOutcome, refusalOf, throughCore } from '../through-core.ts';

// Whole evaluations by ADK's RougeEvaluator.

interface Row {
  readonly id: string;
  readonly threshold: number;
  /** The parts of each final response, `null` for none. */
  readonly actual: readonly (Part[] | null)[];
  readonly expected: readonly (Part[] | null)[] | null;
  readonly overall_score: number;
  readonly overall_status: Status;
  readonly per_invocation: readonly { readonly score: number; readonly status: Status }[];
  readonly error?: { readonly message: string };
}

interface Result extends Outcome {
  readonly turns: readonly (number | null)[];
  readonly statuses: readonly (Status | null)[];
}

const LINES = ['thoughts', 'no-words', 'no-expected-answer', 'exact-mean', 'tolerance', 'missing-is-a-bound'];

export const responseMatchDrivers: readonly Driver[] = [
  driver<Row>('rouge-evaluator.public.jsonl', null, async (row) => {
    const actual = inference([], { invocations: row.actual.map(answered) });
    if (row.expected === null || row.error !== undefined) {
      return refusedConversation({
        criterion: responseMatch,
        threshold: row.threshold,
        expected: row.expected?.map(answered) ?? null,
        inference: actual,
        error: row.error?.message ?? '',
      });
    }
    const evalCase: EvalCase = { evalId: row.id, conversation: row.expected.map(answered) };
    const adk: Result = {
      score: row.overall_score,
      status: row.overall_status,
      turns: row.per_invocation.map(({ score }) => score),
      statuses: row.per_invocation.map(({ status }) => status),
    };
    const held = await heldRow(row, evalCase, actual, adk);
    const refusal = refusalOf({ criterion: responseMatch, evalCase, threshold: row.threshold, compat: 'adk' });
    if (refusal === null) return held;
    const refused = { adk: 'evaluated', compat: refusal, ours: refusal, lines: ['thresholds'] };
    return [held, { ...refused, expected: 'INVALID_THRESHOLD', expectedInCompat: 'INVALID_THRESHOLD' }];
  }),
];

async function heldRow(row: Row, evalCase: EvalCase, actual: Inference, adk: Result): Promise<Held> {
  const run = async (compat: Mode): Promise<Result> => {
    const { criterion } = await throughCore({
      criterion: responseMatch,
      evalCase,
      inference: actual,
      threshold: row.threshold,
      compat,
    });
    return {
      ...(compat === 'adk' ? adkOutcome(criterion) : ourOutcome(criterion)),
      turns: criterion.turns.map(({ value }) => value),
      statuses: criterion.turns.map(({ reached }) => (reached === null ? null : reached ? 'PASSED' : 'FAILED')),
    };
  };
  const compat = await run('adk');
  const scoring = { criterion: responseMatch, evalCase, threshold: row.threshold, compat: null };
  // No turn has anything to compare, which is an error before the run.
  const nothing = row.threshold <= 1 ? refusalOf(scoring) : null;
  if (nothing !== null) {
    return { adk, compat, ours: nothing, lines: ['no-expected-answer'], expected: 'NEEDS_UNMET' };
  }
  return explained(LINES, (lines) => modelOf(row, lines), { adk, compat, ours: await run(null) });
}

function modelOf(row: Row, lines: ReadonlySet<string>): Result {
  const turns = row.actual.map((_, index) => turnValue(row, index, lines));
  const { threshold } = row;
  const reached = (value: number) => value >= threshold - (lines.has('tolerance') ? 1e-9 : 0);
  return {
    ...comesTo({ turns, threshold, adk: { mean: 'sum', missing: 'dropped' } }, lines),
    turns: turns.map(shownOf),
    statuses: turns.map((turn) => (typeof turn === 'number' ? (reached(turn) ? 'PASSED' : 'FAILED') : null)),
  };
}

/** Returns the value of a turn given the entries about turns. Without entries, it is ADK's value. */
function turnValue(row: Row, index: number, lines: ReadonlySet<string>): Value {
  const own = row.per_invocation[index]?.score ?? null;
  const expected = row.expected?.[index] ?? [];
  const actual = row.actual[index] ?? [];
  const text = (parts: readonly Part[]) => contentText({ parts: [...parts] }, { thoughts: !lines.has('thoughts') });
  if (lines.has('no-expected-answer') && text(expected) === '') return 'not-applicable';
  if (lines.has('no-words') && text(expected) !== '' && !/[\p{L}\p{N}]/u.test(text(expected))) {
    if (text(actual) === text(expected)) return 1;
    return text(actual) === '' ? 0 : null;
  }
  const hasThoughts = [...expected, ...actual].some(({ thought }) => thought === true);
  return hasThoughts && lines.has('thoughts') ? rouge1(text(actual), text(expected)).fmeasure : own;
}

export function answered(parts: Part[] | null): Invocation {
  return { userContent: message('user', 'Go on.'), finalResponse: parts === null ? null : { role: 'model', parts } };
}
