import type { Invocation, Span, Turn } from '@agent-criteria/core';
import { evalCase, inference, invocation, testTools, unit } from '@agent-criteria/core/testing';
import { describe, expect, it } from 'vitest';
import type { TrajectoryInput } from './options.ts';
import { toolTrajectory } from './tool-trajectory-avg-score.ts';

const span = (id: string, kind: Span['kind'], name: string, more: Partial<Span> = {}): Span => ({
  id,
  kind,
  name,
  turn: 0,
  startedAt: 0,
  ...more,
});
const call = (name: string, args = {}) => ({ name, args });

/** The calls that an agent made; its tool `ask` runs an agent that calls `search`. */
const asked = invocation({ calls: [call('look'), call('ask'), call('ask', { again: true })] });
const trace = [
  span('1', 'agent', 'desk'),
  span('2', 'tool', 'look', { parentId: '1' }),
  span('3', 'tool', 'ask', { parentId: '1' }),
  span('4', 'agent', 'clerk', { parentId: '3' }),
  span('5', 'model', 'm', { parentId: '4' }),
  span('6', 'tool', 'search', { parentId: '5', request: { q: 'a' } }),
  span('7', 'tool', 'ask', { parentId: '1', request: { again: true } }),
  span('8', 'tool', 'search', { parentId: '7', request: { q: 'b' } }),
  span('9', 'tool', 'search', { parentId: '3', turn: 1, request: { q: 'of another turn' } }),
];
const nested = [
  call('look'),
  call('ask'),
  call('search', { q: 'a' }),
  call('ask', { again: true }),
  call('search', { q: 'b' }),
];

async function scoreOf(
  actual: Invocation,
  expected: readonly object[],
  written: TrajectoryInput,
  spans?: readonly Span[],
) {
  const options = toolTrajectory.options['~standard'].validate(written);
  if (options.issues) throw new Error(JSON.stringify(options.issues));
  if (toolTrajectory.scope !== 'turn') throw new Error('the criterion judges turns');
  const turn: Turn = { index: 0, actual, expected: invocation({ calls: expected }), rubrics: [] };
  const transcript = {
    unit: unit(evalCase('case', [{ user: 'Hello' }])),
    inference: { ...inference([]), trace: spans },
    turns: [turn],
    rubrics: [],
  };
  return toolTrajectory.evaluate(turn, { options: options.value, tools: testTools({}), transcript });
}

describe('tool_trajectory_avg_score with include_nested_calls', () => {
  const included = { includeNestedCalls: true };

  it('compares each nested call after the call of its tool', async () => {
    expect(await scoreOf(asked, nested, included, trace)).toEqual({ value: 1 });
    expect(await scoreOf(asked, nested.toReversed(), included, trace)).toMatchObject({ value: 0 });
  });

  it('is off by default, as in ADK', async () => {
    expect(await scoreOf(asked, nested, {}, trace)).toMatchObject({ value: 0 });
  });

  it('compares calls of tools that run inside nodes of a workflow after all others', async () => {
    const nothing = invocation({ calls: [] });
    const calls = [call('search', { q: 'a' }), call('search', { q: 'b' })];
    expect(await scoreOf(nothing, calls, included, trace)).toEqual({ value: 1 });
  });

  it('finds a forbidden tool among nested calls', async () => {
    const score = await scoreOf(asked, nested, { ...included, forbiddenTools: ['search'] }, trace);
    expect(score).toMatchObject({ value: 0 });
  });

  it('could not judge a turn with calls without a trace, and judges one without calls', async () => {
    expect(await scoreOf(asked, nested, included)).toEqual({
      value: null,
      missing: 'could-not-judge',
      reason: 'Nested calls cannot be compared: the agent reports no trace, which is where nested calls are recorded.',
    });
    expect(await scoreOf(invocation({ calls: [] }), [], included)).toMatchObject({ value: 1 });
  });

  it('could not judge arguments that are too long for the trace, unless only names count', async () => {
    const shortened = trace.map((one) => (one.id === '6' ? { ...one, request: '(left out)' } : one));
    expect(await scoreOf(asked, nested, included, shortened)).toMatchObject({
      missing: 'could-not-judge',
      reason: 'Nested calls cannot be compared: the trace does not hold the arguments of the nested call of search.',
    });
    expect(await scoreOf(asked, nested, { ...included, ignoreArgs: true }, shortened)).toEqual({ value: 1 });
  });

  it('ends for a trace whose spans are inside one another', async () => {
    const circle = [span('1', 'tool', 'look', { parentId: '2' }), span('2', 'tool', 'look', { parentId: '1' })];
    expect(await scoreOf(asked, nested, included, circle)).toMatchObject({ value: 0 });
  });
});

describe('tool_trajectory_avg_score with include_server_side_calls', () => {
  const searched: Invocation = {
    ...invocation({ answer: 'High tide is at six.' }),
    intermediateData: {
      invocationEvents: [
        { author: 'desk', content: { parts: [{ functionCall: call('look') }] } },
        { author: 'desk', content: null, groundingMetadata: { webSearchQueries: ['tides'] } },
      ],
    },
  };
  const expected = [call('look'), call('google_search', { queries: ['tides'] })];

  it('compares the searches that the service of the model made', async () => {
    expect(await scoreOf(searched, expected, { includeServerSideCalls: true })).toEqual({ value: 1 });
    expect(await scoreOf(searched, [call('look')], { includeServerSideCalls: true })).toMatchObject({ value: 0 });
  });

  it('is off by default, as in ADK', async () => {
    expect(await scoreOf(searched, [call('look')], {})).toEqual({ value: 1 });
  });
});
