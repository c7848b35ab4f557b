import type { Span } from '@agent-criteria/core';
import { inference } from '@agent-criteria/core/testing';
import { expect, it } from 'vitest';
import { conversationCosts } from './conversation-costs.ts';
import type { RunCall, RunCase, RunInfo } from './run-record.ts';

const prices = { fast: { inputTokens: 0.001, outputTokens: 0.002 } };
const key = { setId: 'set', caseId: 'case', repeat: 0 };
const span: Span = {
  id: 'model',
  turn: 0,
  kind: 'model',
  name: 'fast',
  startedAt: 0,
  usage: { inputTokens: 100, outputTokens: 10 },
};
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

/** Two conversations, in each of which the agent makes one call. */
const one = (calls: readonly RunCall[], more: Partial<RunCase> = {}) =>
  ({
    inferences: [0, 1].map((repeat) => ({
      key: { ...key, repeat },
      inference: { ...inference([{ answer: 'Yes.' }]), trace: [span] },
    })),
    calls,
    ...more,
  }) as unknown as RunCase;

function runOf(cases: readonly RunCase[], scoring = 1) {
  return {
    info: { scoring } as RunInfo,
    async *cases() {
      yield* cases;
    },
  };
}

it('conversationCosts() returns the mean number of calls and the mean price per conversation', async () => {
  const run = runOf([one([call({ cost: 0.1 }), call({ cost: 0.2 })]), one([call({ cost: 0.3 })])]);
  const { calls, price } = await conversationCosts(run, undefined, prices);
  expect(calls).toEqual({ agent: 1, judge: 0.75 });
  expect(price.agent).toBeCloseTo(0.12, 12);
  expect(price.judge).toBeCloseTo(0.15, 12);
});

it('conversationCosts() prices cached answers as if they were live', async () => {
  const cached = call({ from: 'cache' });
  const run = runOf([one([call({ cost: 0.4 }), cached])]);
  expect((await conversationCosts(run, undefined, prices)).price.judge).toBeCloseTo(0.4, 12);
  expect((await conversationCosts(runOf([one([cached])]), undefined, prices)).price.judge).toEqual({
    unknown: 'all answers came from a cache or a recording',
  });
});

it('conversationCosts() returns unknown rather than 0 without a price', async () => {
  const { price } = await conversationCosts(runOf([one([call(), call({ cost: 1 })])]), undefined, undefined);
  expect(price).toEqual({
    agent: { unknown: 'the project config has no "prices"' },
    judge: { unknown: 'no price or token usage is known for gemini' },
  });
});

it('conversationCosts() covers a single variant, averaged over scoring passes', async () => {
  const run = runOf([one([call({ cost: 1 })], { variant: 'a' }), one([], { variant: 'b' })], 2);
  expect(await conversationCosts(run, 'b', undefined)).toMatchObject({ calls: { agent: 1 } });
  expect((await conversationCosts(run, 'a', undefined)).calls.judge).toBe(0.25);
});
