import type { Criterion, Inference, Invocation, InvocationEvent, Score, Span, Transcript } from '@agent-criteria/core';
import { createRegistry, resolveEvalConfig, scoreUnit, summariseCase } from '@agent-criteria/core/host';
import { evalCase, evalSet, inference, message, testTools, unit } from '@agent-criteria/core/testing';
import { sumTokens } from '@agent-criteria/core/usage';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../test/runs.ts';
import { inferenceCallCount, invocationDuration, tokenUsage, toolCallCount } from './pure.ts';

const all: readonly Criterion[] = [toolCallCount, inferenceCallCount, tokenUsage, invocationDuration];

const usage = (prompt: number, candidates: number) => ({
  promptTokenCount: prompt,
  candidatesTokenCount: candidates,
  totalTokenCount: 99_999,
});

function turn(events: readonly InvocationEvent[], more: Partial<Invocation> = {}): Invocation {
  return { userContent: message('user', 'Go on.'), intermediateData: { invocationEvents: [...events] }, ...more };
}

const said = (usageMetadata?: unknown): InvocationEvent => ({ author: 'agent', content: null, usageMetadata });

async function measure(
  criterion: Criterion,
  invocations: readonly Invocation[],
  { trace, compat = null }: { trace?: readonly Span[]; compat?: 'adk' | null } = {},
): Promise<readonly Score[]> {
  if (criterion.scope !== 'turn') throw new Error('these criteria judge turns');
  const turns = invocations.map((actual, index) => ({ index, actual, expected: null, rubrics: [] }));
  const happened: Inference = inference([], { invocations, trace });
  const transcript: Transcript = { unit: unit({ evalId: 'case' }), inference: happened, turns, rubrics: [] };
  return Promise.all(
    turns.map(async (one) => criterion.evaluate(one, { options: {}, tools: testTools({ compat }), transcript })),
  );
}

const modelSpan = (turnIndex: number, reported?: object): Span => ({
  id: 's',
  kind: 'model',
  name: 'gemini',
  turn: turnIndex,
  startedAt: 0,
  ...(reported === undefined ? {} : { usage: { ...reported } }),
});

describe('token_usage_v1', () => {
  it("sums all calls by kind of token, ignoring the backend's total", async () => {
    const [score] = await measure(tokenUsage, [turn([said(usage(10, 5)), said(usage(20, 7))])]);
    expect(score).toMatchObject({ value: 42 });
    expect(score?.evidence).toEqual([
      {
        kind: 'json',
        label: 'token_usage_details',
        value: {
          total_tokens: 42,
          input_tokens: 30,
          prompt_tokens: 30,
          cached_tokens: null,
          tool_use_tokens: null,
          output_tokens: 12,
          candidates_tokens: 12,
          reasoning_tokens: null,
        },
      },
    ]);
  });

  it('is unknown if one of the calls reported no tokens', async () => {
    const turns = [turn([said(usage(10, 5))], { inferenceCallCount: 2 })];
    expect(await measure(tokenUsage, turns)).toMatchObject([
      { value: null, reason: '1 of 2 calls to models reported no tokens; the others took 15' },
    ]);
  });

  it("'efficiency-unknown': counts unreported values as 0 in compat mode", async () => {
    const turns = [turn([said(usage(10, 5))], { inferenceCallCount: 2 }), turn([])];
    expect(await measure(tokenUsage, turns)).toMatchObject([
      { value: null, adkValue: 15 },
      { value: null, adkValue: 0 },
    ]);
    expect(await measure(inferenceCallCount, [turn([said()])])).toMatchObject([{ value: null, adkValue: 0 }]);
    expect(await measure(tokenUsage, [turn([])])).toEqual([
      { value: null, missing: 'could-not-judge', reason: 'the agent reports no tokens' },
    ]);
  });

  it("'efficiency-nested-calls': includes calls of agents inside a tool, except in compat mode", async () => {
    const turns = [turn([said(usage(10, 5))])];
    const trace = [modelSpan(0, usage(10, 5)), modelSpan(0, usage(100, 50)), modelSpan(1, usage(1, 1))];
    expect(await measure(tokenUsage, turns, { trace })).toMatchObject([{ value: 165 }]);
    expect(await measure(tokenUsage, turns, { trace, compat: 'adk' })).toMatchObject([{ value: 15 }]);
    const oneSilent = [modelSpan(0, usage(10, 5)), modelSpan(0)];
    expect(await measure(tokenUsage, turns, { trace: oneSilent })).toMatchObject([{ value: null }]);
  });

  it('sums input and output, whatever total is reported', () => {
    const kinds = ['promptTokenCount', 'toolUsePromptTokenCount', 'candidatesTokenCount', 'thoughtsTokenCount'];
    const count = fc.oneof(fc.nat(1_000_000), fc.constantFrom(-1, Number.NaN, null, 'many'));
    const reported = fc.dictionary(fc.constantFrom(...kinds, '__proto__'), count);
    fc.assert(
      fc.property(fc.array(fc.oneof(reported, fc.constantFrom(null, undefined, 3, 'x'))), (usages) => {
        const { total_tokens: total, input_tokens: input, output_tokens: output } = sumTokens(usages);
        expect(total).toBe(input === null && output === null ? null : (input ?? 0) + (output ?? 0));
        expect(total === null || total >= 0).toBe(true);
      }),
      { numRuns: runs(500) },
    );
  });
});

describe('criteria that are measured by default', () => {
  const conversation = evalSet([evalCase('hi', [{ user: 'Hi', answer: 'Hello' }])]);
  const always = (value: number): Criterion => ({
    ...toolCallCount,
    name: 'always',
    measuredByDefault: false,
    evaluate: () => ({ value }),
  });

  function resultOf(criteria: Readonly<Record<string, unknown>>, more: readonly Criterion[], measure: string[] = []) {
    const config = { criteria, ...(measure.length === 0 ? {} : { agent_criteria: { measure } }) };
    const plan = resolveEvalConfig({ evalSet: conversation, config, registry: createRegistry([...all, ...more]) });
    const [one] = conversation.evalCases;
    if (one === undefined) throw new Error('there is a case');
    const happened = inference([{ user: 'Hi', answer: 'Hello' }]);
    return scoreUnit(plan, unit(one), happened).then((scored) => summariseCase(plan, one, [scored]));
  }

  it('change no verdict, even if most are unknown', async () => {
    for (const [value, verdict] of [
      [1, 'passed'],
      [3, 'failed'],
    ] as const) {
      const result = await resultOf({ always: 2 }, [always(value)]);
      expect(result.verdict).toBe(verdict);
      expect(result.criteria.map((criterion) => [criterion.name, criterion.verdict])).toEqual([
        ['always', verdict],
        ...all.map(({ name }) => [name, 'informational']),
      ]);
    }
  });

  it('do not affect whether a config only measures', async () => {
    const never: Criterion = {
      ...always(1),
      scope: 'turn',
      evaluate: () => ({ value: null, missing: 'not-applicable', reason: 'it says nothing of this' }),
    };
    const result = await resultOf({ always: { threshold: 2, when_not_applicable: 'skip' } }, [never]);
    expect(result.verdict).toBe('not-evaluated');
    expect((await resultOf({}, [always(1)], ['always'])).verdict).toBe('informational');
  });

  it('do not make a config without criteria valid', async () => {
    expect(() => resolveEvalConfig({ evalSet: conversation, config: {}, registry: createRegistry(all) })).toThrow(
      'the config has no criteri',
    );
  });

  it('are deciding if they have a threshold, and lower is better', async () => {
    expect((await resultOf({ tool_call_count_v1: 0 }, [])).verdict).toBe('passed');
    const tokens = await resultOf({ token_usage_v1: 1_000 }, []);
    expect(tokens).toMatchObject({ verdict: 'not-evaluated' });
    expect(tokens.reason).toContain('the agent reports no tokens');
  });
});
