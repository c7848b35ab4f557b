import type { EvalCase, FunctionCall } from '@agent-criteria/core';
import { inference, message } from '@agent-criteria/core/testing';
import { toolParameterMatch } from '@agent-criteria/criteria-trajectory/pure';
import { comesTo, explained, type Outcome, type Status, type Value } from '../as-lines-say.ts';
import { type Driver, driver } from '../driver.ts';
import { refusedConversation } from '../refused-conversation.ts';
import { adkOutcome, type Mode, ourOutcome, throughCore } from '../through-core.ts';

// Whole evaluations by ADK's _ToolParameterMatchEvaluator.

interface Row {
  readonly id: string;
  readonly threshold: number;
  readonly actual: readonly (readonly FunctionCall[])[];
  readonly expected: readonly (readonly FunctionCall[])[];
  readonly overall_score: number | null;
  readonly overall_status: Status;
  readonly per_invocation: readonly { readonly score: number | null; readonly status: Status }[];
  readonly error?: { readonly message: string };
}

interface Result extends Outcome {
  readonly turns: readonly (number | null)[];
  readonly statuses: readonly Status[];
}

const LINES = ['true-is-not-one', 'exact-mean', 'tolerance'];

export const toolParameterDrivers: readonly Driver[] = [
  driver<Row>('tool-parameter-match.public.jsonl', null, async (row) => {
    const { threshold } = row;
    if (row.error !== undefined) {
      return refusedConversation({
        criterion: toolParameterMatch,
        threshold,
        expected: invocationsOf(row.expected),
        inference: inference([], { invocations: invocationsOf(row.actual) }),
        error: row.error.message,
      });
    }
    const adk: Result = {
      score: row.overall_score,
      status: row.overall_status,
      turns: row.per_invocation.map(({ score }) => score),
      statuses: row.per_invocation.map(({ status }) => status),
    };
    const model = await modelOf(row);
    return explained(LINES, model, { adk, compat: await evaluated(row, 'adk'), ours: await evaluated(row, null) });
  }),
];

async function evaluated(row: Row, compat: Mode): Promise<Result> {
  const evalCase: EvalCase = { evalId: row.id, conversation: invocationsOf(row.expected) };
  const { criterion } = await throughCore({
    criterion: toolParameterMatch,
    evalCase,
    inference: inference([], { invocations: invocationsOf(row.actual) }),
    threshold: row.threshold,
    compat,
  });
  return {
    ...(compat === 'adk' ? adkOutcome(criterion) : ourOutcome(criterion)),
    turns: criterion.turns.map(({ value }) => value),
    statuses: criterion.turns.map(({ value, reached }) =>
      value === null ? 'NOT_EVALUATED' : reached === true ? 'PASSED' : 'FAILED',
    ),
  };
}

/** Returns the row's result given some entries: with booleans as strings, which equal no number, compared as in ADK. */
async function modelOf(row: Row): Promise<(lines: ReadonlySet<string>) => Result> {
  const plain = await evaluated(row, 'adk');
  const without = (calls: readonly FunctionCall[]) => calls.map(withoutBooleans);
  const changed = { ...row, actual: row.actual.map(without), expected: row.expected.map(without) };
  const apart = await evaluated(changed, 'adk');
  return (lines) => {
    const { turns } = lines.has('true-is-not-one') ? apart : plain;
    const values = turns.map((value): Value => value ?? 'not-applicable');
    const { threshold } = row;
    const reached = (value: number) => value >= threshold - (lines.has('tolerance') ? 1e-9 : 0);
    return {
      ...comesTo({ turns: values, threshold, adk: { mean: 'sum', missing: 'dropped' } }, lines),
      turns,
      statuses: turns.map((value) => (value === null ? 'NOT_EVALUATED' : reached(value) ? 'PASSED' : 'FAILED')),
    };
  };
}

function withoutBooleans(call: FunctionCall): FunctionCall {
  return JSON.parse(JSON.stringify(call), (_, item) => (typeof item === 'boolean' ? `boolean ${item}` : item));
}

export function invocationsOf(turns: readonly (readonly FunctionCall[])[]) {
  return turns.map((toolUses) => ({
    invocationId: '',
    userContent: message('user', 'Go on.'),
    intermediateData: { toolUses: [...toolUses] },
  }));
}
