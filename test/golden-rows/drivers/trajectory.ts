import assert from 'node:assert/strict';
import type { EvalCase, FunctionCall, Inference, Invocation } from '@agent-criteria/core';
import { inference, message } from '@agent-criteria/core/testing';
import { toolTrajectory } from '@agent-criteria/criteria-trajectory/pure';
import { trajectoryOptions } from '../../../packages/criteria-trajectory/src/options.ts';
import { comesTo, explained, type Outcome, type Status } from '../as-lines-say.ts';
import { type Driver, driver, functionDriver } from '../driver.ts';
import type { Held } from '../held.ts';
import { refusedConversation } from '../refused-conversation.ts';
import { adkOutcome, type Mode, ourOutcome, refusalOf, throughCore } from '../through-core.ts';

// Whole evaluations by ADK's TrajectoryEvaluator, with calls in the shapes that a row states.

export type Shape = 'tool_uses' | 'events' | 'none';
export type Call = FunctionCall & { will_continue?: boolean };

interface Row {
  readonly id: string;
  readonly match_type: string;
  readonly threshold: number;
  readonly ignore_args: boolean;
  readonly actual: readonly (readonly Call[])[];
  readonly expected: readonly (readonly Call[])[] | null;
  readonly actual_shape: readonly Shape[];
  readonly expected_shape: readonly Shape[];
  readonly overall_score: number | null;
  readonly overall_status: Status;
  readonly per_invocation: readonly { readonly score: number; readonly status: Status }[];
  readonly error?: { readonly message: string };
}

interface Result extends Outcome {
  readonly turns: readonly (number | null)[];
  readonly statuses: readonly Status[];
}

/** Changes a call so that ADK behaves as the entry says. */
const OF_CALLS: Readonly<Record<string, (call: Call) => Call>> = {
  'args-absent-is-empty': (call) => ({ ...call, args: call.args ?? {} }),
  'true-is-not-one': (call) => ({ ...call, args: withoutBooleans(call.args) }),
};
const LINES = [...Object.keys(OF_CALLS), 'exact-mean', 'tolerance'];

export const trajectoryDrivers: readonly Driver[] = [
  driver<Row>('trajectory.public.jsonl', null, async (row) => {
    const options = { match_type: row.match_type, ignore_args: row.ignore_args };
    const { threshold } = row;
    const actual = inference([], { invocations: invocationsOf(row.actual, row.actual_shape) });
    const expected = row.expected === null ? null : invocationsOf(row.expected, row.expected_shape);
    if (expected === null || row.error !== undefined) {
      const error = row.error?.message ?? '';
      return refusedConversation({ criterion: toolTrajectory, threshold, options, expected, inference: actual, error });
    }
    const adk: Result = {
      score: row.overall_score,
      status: row.overall_status,
      turns: row.per_invocation.map(({ score }) => score),
      statuses: row.per_invocation.map(({ status }) => status),
    };
    const evalCase: EvalCase = { evalId: row.id, conversation: [...expected] };
    const run = (compat: Mode) => evaluated(row, evalCase, actual, compat);
    const model = await modelOf(row);
    const held = explained(LINES, model, { adk, compat: await run('adk'), ours: await run(null) });
    return expected.length === 0 ? held : [held, ...refusedThreshold(row, evalCase)];
  }),
  functionDriver<{ readonly match_type: unknown }, string | { readonly __error__: { readonly type: string } }>(
    'ToolTrajectoryCriterion.match_type',
    ({ input, output }) => {
      const { issues, value } = read(input.match_type);
      const problems = issues?.map(({ path, message: said }) => `${path?.join('.')} ${said}`);
      if (typeof output === 'string') return { adk: output, ours: problems ?? value?.matchType };
      assert.equal(output.__error__.type, 'ValidationError');
      return { adk: ['matchType must be EXACT, IN_ORDER or ANY_ORDER'], ours: problems ?? value?.matchType };
    },
  ),
];

function read(matchType: unknown) {
  const found = trajectoryOptions['~standard'].validate({ matchType });
  return found.issues === undefined ? { issues: undefined, value: found.value } : { issues: found.issues };
}

async function evaluated(row: Row, evalCase: EvalCase, actual: Inference, compat: Mode): Promise<Result> {
  const { criterion } = await throughCore({
    criterion: toolTrajectory,
    evalCase,
    inference: actual,
    threshold: row.threshold,
    compat,
    options: { match_type: row.match_type, ignore_args: row.ignore_args },
  });
  return {
    ...(compat === 'adk' ? adkOutcome(criterion) : ourOutcome(criterion)),
    turns: criterion.turns.map(({ value }) => value),
    statuses: criterion.turns.map(({ reached }) => (reached === true ? 'PASSED' : 'FAILED')),
  };
}

function refusedThreshold({ threshold }: Row, evalCase: EvalCase): readonly Held[] {
  const ours = refusalOf({ criterion: toolTrajectory, evalCase, threshold, compat: null });
  if (ours === null) return [];
  return [{ adk: 'evaluated', ours, lines: ['thresholds'], expected: 'INVALID_THRESHOLD' }];
}

/**
 * Returns the row's result given some entries. Its calls are changed and compared as in ADK, and core's entries
 * determine the numbers.
 */
async function modelOf(row: Row): Promise<(lines: ReadonlySet<string>) => Result> {
  const names = Object.keys(OF_CALLS);
  const choices = [[], ...names.map((name) => [name]), names];
  const byChoice = new Map<string, readonly (number | null)[]>();
  for (const chosen of choices) {
    const change = (calls: readonly Call[]) =>
      calls.map((call) => chosen.reduce((changed, line) => OF_CALLS[line]?.(changed) ?? changed, call));
    const actual = inference([], { invocations: invocationsOf(row.actual.map(change), row.actual_shape) });
    const conversation = invocationsOf((row.expected ?? []).map(change), row.expected_shape);
    const { turns } = await evaluated(row, { evalId: row.id, conversation }, actual, 'adk');
    byChoice.set(chosen.join(), turns);
  }
  return (lines) => {
    const turns = byChoice.get(names.filter((name) => lines.has(name)).join()) ?? [];
    const { threshold } = row;
    const reached = (value: number | null) => (value ?? 0) >= threshold - (lines.has('tolerance') ? 1e-9 : 0);
    return {
      ...comesTo({ turns, threshold, adk: { mean: 'sum', missing: 'dropped' } }, lines),
      turns,
      statuses: turns.map((value) => (reached(value) ? 'PASSED' : 'FAILED')),
    };
  };
}

/** Converts booleans to strings, which equal only themselves in both modes. */
function withoutBooleans(args: FunctionCall['args']): Record<string, unknown> | null {
  // In ADK, absent arguments are null.
  return JSON.parse(JSON.stringify(args ?? null), (_, item) => (typeof item === 'boolean' ? `boolean ${item}` : item));
}

/** Returns turns with these calls, each in the shape that the row states. */
export function invocationsOf(calls: readonly (readonly Call[])[], shapes: readonly Shape[]): Invocation[] {
  return calls.map((own, index) => invocation(own, shapes[index] ?? 'none'));
}

function invocation(calls: readonly Call[], shape: Shape): Invocation {
  const head = { invocationId: '', userContent: message('user', 'Go on.') };
  if (shape === 'none') return head;
  if (shape === 'tool_uses') return { ...head, intermediateData: { toolUses: [...calls] } };
  // Calls by two agents, along with texts and responses, with two calls in one event.
  const events = calls.map((functionCall, index) => ({
    author: index % 2 === 0 ? 'root_agent' : 'sub_agent',
    content: { role: 'model', parts: [{ text: 'One moment.' }, { functionCall }] },
  }));
  const [first, second, ...others] = events;
  const joined =
    first !== undefined && second !== undefined
      ? [{ ...first, content: { role: 'model', parts: [...first.content.parts, ...second.content.parts] } }, ...others]
      : events;
  const response = { author: 'root_agent', content: { parts: [{ functionResponse: { name: 'a', response: {} } }] } };
  return { ...head, intermediateData: { invocationEvents: [...joined, { author: 'root_agent' }, response] } };
}
