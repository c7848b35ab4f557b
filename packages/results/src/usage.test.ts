import type { Inference, InvocationEvent, Span } from '@agent-criteria/core';
import { inference, invocation } from '@agent-criteria/core/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RunCall, RunCase } from './run-record.ts';
import { usageText } from './text/usage.ts';
import { addUsage, type RunUsage, type Usage, usageOf, usageOfCases } from './usage.ts';

type Counted = Pick<RunCase, 'inferences' | 'calls' | 'variant'>;

const key = { setId: 'set', caseId: 'case', repeat: 0 };
const call = (more: Partial<RunCall> = {}): RunCall => ({
  role: 'criterion',
  key,
  caller: 'judged',
  turn: 0,
  sample: 0,
  target: 'gemini',
  request: 'r',
  finish: 'stop',
  startedAt: 0,
  endedAt: 1,
  ...more,
});
const judged = (...calls: readonly RunCall[]) => usageOf({ inferences: [], calls }).judge;
const tokens = (inputTokens: number, outputTokens: number, cachedInputTokens = 0, reasoningTokens = 0) => ({
  inputTokens,
  cachedInputTokens,
  outputTokens,
  reasoningTokens,
});
const told = (input: number, output: number) => ({ promptTokenCount: input, candidatesTokenCount: output });

function agentOf(turns: readonly (readonly InvocationEvent[])[], more: Partial<Inference> = {}): Usage | undefined {
  const invocations = turns.map((invocationEvents) => ({
    ...invocation({ user: 'Hi' }),
    intermediateData: { invocationEvents: [...invocationEvents] },
  }));
  return usageOf({ inferences: [{ key, inference: inference([], { invocations, ...more }) }] }).agent;
}

const span = (id: string, more: Partial<Span> = {}): Span => ({
  id,
  kind: 'model',
  name: 'gemini',
  turn: 0,
  startedAt: 0,
  ...more,
});

it('usage is summed for each variant, in any order', async () => {
  const one = (variant: string | undefined, cost: number): Counted => ({
    ...(variant !== undefined && { variant }),
    inferences: [],
    calls: [call({ cost })],
  });
  async function* all(...cases: readonly Counted[]) {
    yield* cases;
  }
  const total = await usageOfCases(all(one('a', 1), one('b', 2), one('a', 4)));
  expect(total).toMatchObject({
    judge: { cost: 7 },
    variants: { a: { judge: { cost: 5 } }, b: { judge: { cost: 2 } } },
  });
  const halves = [await usageOfCases(all(one('a', 1))), await usageOfCases(all(one('b', 2), one('a', 4)))] as const;
  expect(addUsage(halves[0], halves[1])).toEqual(total);
  expect(await usageOfCases(all(one(undefined, 1)))).not.toHaveProperty('variants');
  expect(await usageOfCases(all({ variant: 'a', inferences: [] }))).toEqual({});
});

describe('the usage of judges and simulated users', () => {
  it('is empty if no calls were recorded', () => {
    expect(usageOf({ inferences: [] })).toEqual({});
    expect(usageOf({ inferences: [{ key, inference: inference([{ user: 'Hi', answer: 'Hello' }]) }] })).toEqual({});
  });

  it('is separated by role, and into live and cached calls', () => {
    const usage = { inputTokens: 10, cachedInputTokens: 4, outputTokens: 3, reasoningTokens: 2 };
    const calls = [
      call({ usage, from: 'live', cost: 0.5 }),
      call({ usage, cost: 0.25 }),
      call({ usage, from: 'cache', cost: 0 }),
      call({ usage, from: 'recording' }),
      call({ error: { code: 'CALL_FAILED', message: 'down' } }),
      call({ role: 'user', usage: {}, from: 'live' }),
    ];
    expect(usageOf({ inferences: [], calls })).toEqual({
      judge: {
        live: 2,
        cached: 1,
        recorded: 1,
        failed: 1,
        callsWithoutUsage: 0,
        cost: 0.75,
        callsWithoutPrice: 0,
        targetsWithoutPrice: [],
        tokens: tokens(20, 6, 8, 4),
        reused: tokens(20, 6, 8, 4),
      },
      simulator: {
        live: 1,
        cached: 0,
        recorded: 0,
        failed: 0,
        tokens: null,
        callsWithoutUsage: 1,
        reused: null,
        cost: null,
        callsWithoutPrice: 1,
        targetsWithoutPrice: ['gemini'],
      },
    });
  });

  it('is never 0 when unknown', () => {
    expect(judged(call({ usage: { inputTokens: 1 } }), call({ target: 'another' }))).toMatchObject({
      cost: null,
      callsWithoutPrice: 2,
      targetsWithoutPrice: ['another', 'gemini'],
      callsWithoutUsage: 1,
      tokens: tokens(1, 0),
    });
    // Invalid costs in a damaged record are ignored.
    for (const cost of [-1, Number.NaN, Number.POSITIVE_INFINITY])
      expect(judged(call({ cost }))).toMatchObject({ cost: null, callsWithoutPrice: 1 });
    expect(judged(call({ from: 'cache' }))).toMatchObject({
      tokens: null,
      reused: null,
      cost: null,
      callsWithoutPrice: 0,
    });
  });
});

describe('the usage of an agent', () => {
  it("is read from ADK's events, with counts in either spelling", () => {
    const events = [
      { author: 'host', usageMetadata: { ...told(100, 20), cachedContentTokenCount: 30, thoughtsTokenCount: 5 } },
      { author: 'host', content: { parts: [{ text: 'Looking.' }] } },
      { author: 'host', usageMetadata: { prompt_token_count: 50, candidates_token_count: 1 } },
      { author: 'host', usageMetadata: null, modelVersion: 'gemini-2.0' },
    ];
    expect(agentOf([events, []])).toEqual({
      live: 3,
      cached: 0,
      recorded: 0,
      failed: 0,
      tokens: tokens(150, 26, 30, 5),
      callsWithoutUsage: 1,
      reused: null,
      cost: null,
      callsWithoutPrice: 3,
      targetsWithoutPrice: [],
    });
  });

  it('is read from the model calls in a trace, including those of a failed turn', () => {
    const trace = [
      span('a', { kind: 'agent', usage: { inputTokens: 999 } }),
      span('b', { parentId: 'a', usage: { inputTokens: 7, outputTokens: 1 } }),
      span('c', { kind: 'tool', usage: { inputTokens: 999 } }),
      span('d', { turn: 1, usage: { inputTokens: 5 } }),
      span('e', { turn: 1, error: { code: 'AGENT_FAILED', message: 'down' } }),
    ];
    expect(agentOf([[]], { trace })).toMatchObject({ live: 2, failed: 1, tokens: tokens(12, 1), callsWithoutUsage: 0 });
  });

  it('includes a call only once if it appears in both the trace and the events', () => {
    const events = [{ author: 'host', usageMetadata: told(100, 20) }];
    const same = span('a', { usage: told(100, 20) });
    expect(agentOf([events], { trace: [same] })).toMatchObject({ live: 1, tokens: tokens(100, 20) });
    // The source that reports more tokens is used.
    expect(agentOf([events], { trace: [span('a')] })).toMatchObject({ live: 1, tokens: tokens(100, 20) });
    // Only traces contain failed calls.
    const failing = [same, span('b', { error: { code: 'AGENT_FAILED', message: 'down' } })];
    expect(agentOf([events], { trace: failing })).toMatchObject({ live: 1, failed: 1, tokens: tokens(100, 20) });
    const silent = [{ author: 'host', modelVersion: 'gemini-2.0' }];
    expect(agentOf([silent])).toMatchObject({ live: 1, callsWithoutUsage: 1, tokens: null });
    const more = [same, span('b', { usage: told(1, 1) })];
    expect(agentOf([events], { trace: more })).toMatchObject({ live: 2, tokens: tokens(101, 21) });
    expect(agentOf([events, []], { trace: [span('z', { turn: 1, usage: told(1, 1) })] })).toMatchObject({
      live: 2,
      tokens: tokens(101, 21),
    });
  });

  it('includes the cost of calls at the prices of the run, and names the models that have no price', () => {
    const trace = [
      span('a', { name: 'cheap', usage: told(10, 1) }),
      span('b', { name: 'other', usage: told(20, 2) }),
      span('c', { name: 'cheap' }),
    ];
    const inferences = [{ key, inference: inference([], { invocations: [], trace }) }];
    const prices = { cheap: { inputTokens: 2, outputTokens: 3 }, other: { inputTokens: 1 } };
    expect(usageOf({ inferences, prices }).agent).toMatchObject({
      live: 3,
      cost: 23,
      callsWithoutPrice: 2,
      targetsWithoutPrice: ['cheap', 'other'],
    });
    expect(usageOf({ inferences }).agent).toMatchObject({ cost: null, callsWithoutPrice: 3, targetsWithoutPrice: [] });
    const events = { invocationEvents: [{ author: 'host', usageMetadata: told(1, 1) }] };
    const unnamed = inference([], { invocations: [{ ...invocation({ user: 'Hi' }), intermediateData: events }] });
    expect(usageOf({ inferences: [{ key, inference: unnamed }], prices }).agent).toMatchObject({
      cost: null,
      targetsWithoutPrice: ['a model without a name'],
    });
  });

  it('includes tokens only once if a call also reports the tokens of nested calls', () => {
    const trace = [
      span('outer', { usage: told(30, 3) }),
      span('agent', { kind: 'agent', parentId: 'outer' }),
      span('one', { parentId: 'agent', usage: told(10, 1) }),
      span('two', { parentId: 'agent', usage: told(20, 2) }),
    ];
    expect(agentOf([[]], { trace })).toMatchObject({ live: 2, tokens: tokens(30, 3) });
    const round = [span('a', { parentId: 'b', usage: told(1, 1) }), span('b', { parentId: 'a', usage: told(1, 1) })];
    expect(agentOf([[]], { trace: round })).toBeUndefined();
  });

  it('includes calls that are only reported as a count', () => {
    const counting = (inferenceCallCount: number) => {
      const invocations = [{ ...invocation({ user: 'Hi' }), inferenceCallCount }];
      return usageOf({ inferences: [{ key, inference: inference([], { invocations }) }] }).agent;
    };
    expect(counting(3)).toMatchObject({ live: 3, callsWithoutUsage: 3, callsWithoutPrice: 3, tokens: null });
    expect(counting(1)).toMatchObject({ live: 1, callsWithoutUsage: 1 });
    const [first] = inference([{ user: 'Hi' }]).invocations;
    const events = { invocationEvents: [{ author: 'host', usageMetadata: told(1, 1) }] };
    const partly = inference([], { invocations: [{ ...first!, intermediateData: events, inferenceCallCount: 3 }] });
    expect(usageOf({ inferences: [{ key, inference: partly }] }).agent).toMatchObject({
      live: 3,
      callsWithoutUsage: 2,
    });
    expect(counting(0)).toBeUndefined();
    expect(counting(-1)).toBeUndefined();
    expect(counting(1.5)).toBeUndefined();
  });

  it('is read from a trace of any depth', () => {
    const trace = Array.from({ length: 50_000 }, (_, index) =>
      span(`${index}`, { usage: told(1, 1), ...(index > 0 ? { parentId: `${index - 1}` } : {}) }),
    );
    expect(agentOf([[]], { trace })).toMatchObject({ live: 1, tokens: tokens(1, 1) });
  });
});

/** Costs that add up without rounding. */
const exactCost = fc.nat({ max: 4096 }).map((parts) => parts / 1024);
const count = fc.option(fc.nat({ max: 10_000 }), { nil: undefined });
const anyCall = fc
  .record({
    role: fc.constantFrom('user' as const, 'criterion' as const),
    target: fc.constantFrom('gemini', 'other', '__proto__', ''),
    from: fc.constantFrom('live' as const, 'cache' as const, 'recording' as const, undefined),
    cost: fc.option(exactCost, { nil: undefined }),
    input: count,
    output: count,
    failed: fc.boolean(),
  })
  .map(({ role, target, from, cost, input, output, failed }) =>
    call({
      role,
      target,
      from,
      cost,
      usage: {
        inputTokens: input,
        outputTokens: output,
      },
      ...(failed ? { error: { code: 'CALL_FAILED' as const, message: 'down' } } : {}),
    }),
  );
const anyCase: fc.Arbitrary<Counted> = fc.record({
  calls: fc.array(anyCall, { maxLength: 6 }),
  inferences: fc.array(
    fc.array(count, { maxLength: 4 }).map((inputs) => {
      const trace = inputs.map((input, index) =>
        span(`${index}`, input === undefined ? {} : { usage: { inputTokens: input } }),
      );
      return { key, inference: inference([], { trace }) };
    }),
    { maxLength: 2 },
  ),
});

const fold = (cases: readonly Counted[]): RunUsage => cases.map(usageOf).reduce(addUsage, {});

async function* streamed<T>(items: readonly T[]) {
  yield* items;
}

describe('the combined usage of many cases', () => {
  it('does not depend on the order or grouping in which it is added up', async () => {
    const shuffled = fc
      .array(anyCase, { maxLength: 8 })
      .chain((cases) =>
        fc.tuple(
          fc.constant(cases),
          fc.shuffledSubarray(cases, { minLength: cases.length }),
          fc.nat({ max: cases.length }),
        ),
      );
    await fc.assert(
      fc.asyncProperty(shuffled, async ([cases, other, at]) => {
        const total = fold(cases);
        expect(fold(other)).toEqual(total);
        expect(addUsage(fold(other.slice(0, at)), fold(other.slice(at)))).toEqual(total);
        expect(await usageOfCases(streamed(other))).toEqual(total);
      }),
    );
  });

  it('counts every call once, and tracks which live calls have no known price', () => {
    fc.assert(
      fc.property(fc.array(anyCase, { maxLength: 8 }), (cases) => {
        const { judge, simulator } = fold(cases);
        const calls = cases.flatMap((one) => one.calls ?? []);
        const all = [judge, simulator].map((usage) =>
          usage === undefined ? 0 : usage.live + usage.cached + usage.recorded + usage.failed,
        );
        expect(all).toEqual([
          calls.filter(({ role }) => role === 'criterion').length,
          calls.filter(({ role }) => role === 'user').length,
        ]);
        const live = calls.filter((one) => one.error === undefined && (one.from ?? 'live') === 'live');
        const paid = live.flatMap(({ cost }) => cost ?? []).reduce((sum, cost) => sum + cost, 0);
        expect((judge?.cost ?? 0) + (simulator?.cost ?? 0)).toBe(paid);
        const unpriced = live.filter(({ cost }) => cost === undefined).length;
        expect((judge?.callsWithoutPrice ?? 0) + (simulator?.callsWithoutPrice ?? 0)).toBe(unpriced);
        for (const usage of [judge, simulator]) {
          if (usage === undefined) continue;
          expect(usage.cost === null).toBe(usage.callsWithoutPrice === usage.live);
          expect(usage.targetsWithoutPrice.length > 0).toBe(usage.callsWithoutPrice > 0);
        }
      }),
    );
  });
});

describe('usageText', () => {
  const base: Usage = {
    live: 0,
    cached: 0,
    recorded: 0,
    failed: 0,
    tokens: null,
    callsWithoutUsage: 0,
    reused: null,
    cost: null,
    callsWithoutPrice: 0,
    targetsWithoutPrice: [],
  };

  it.each<[string, Partial<Usage>]>([
    [
      '36 calls (12 cached), 41,230 tokens in (3,000 cached), 2,100 out (900 reasoning), cost 0.0123',
      { live: 24, cached: 12, tokens: tokens(41_230, 2100, 3000, 900), cost: 0.0123 },
    ],
    [
      '36 calls, 5 tokens in, 1 out, cost unknown: no price for gemini-2.5-flash',
      { live: 36, tokens: tokens(5, 1), callsWithoutPrice: 36, targetsWithoutPrice: ['gemini-2.5-flash'] },
    ],
    [
      '3 calls, 5 tokens in, 1 out, tokens of 1 call unknown, cost 1,234.57, unknown for 1 call: no price or token usage reported for a, b, c and 2 more',
      {
        live: 3,
        tokens: tokens(5, 1),
        callsWithoutUsage: 1,
        cost: 1234.567,
        callsWithoutPrice: 1,
        targetsWithoutPrice: ['a', 'b', 'c', 'd', 'e'],
      },
    ],
    ['2 calls (all recorded), reused 5 tokens in, 1 out, cost 0', { recorded: 2, reused: tokens(5, 1) }],
    ['2 calls (1 cached, 1 failed), cost 0', { cached: 1, failed: 1 }],
    ['1 call (1 failed)', { failed: 1 }],
    ['1 call, no token usage reported', { live: 1, callsWithoutUsage: 1, callsWithoutPrice: 1 }],
    ['1 call, 1 token in, 0 out, cost 0.0000000123', { live: 1, tokens: tokens(1, 0), cost: 1.23e-8 }],
  ])('returns "%s"', (text, usage) => {
    expect(usageText({ ...base, ...usage })).toBe(text);
  });
});
