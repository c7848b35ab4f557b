import type { Span } from '@agent-criteria/core';
import { inference } from '@agent-criteria/core/testing';
import { expect, it } from 'vitest';
import { agentCost } from './agent-cost.ts';

const prices = {
  fast: { inputTokens: 0.001, outputTokens: 0.002, cachedInputTokens: 0.0001 },
  half: { inputTokens: 0.001 },
};
const call = (model: string, usage: Span['usage'], id = model): Span => ({
  id,
  turn: 0,
  kind: 'model',
  name: model,
  startedAt: 0,
  usage,
});
const tokens = { inputTokens: 100, outputTokens: 10 };
const costOf = (...trace: Span[]) => agentCost({ inference: { ...inference([{ answer: 'Yes.' }]), trace } }, prices);

it('agentCost adds up the cost of an agent’s calls', () => {
  expect(costOf(call('fast', tokens), call('fast', { ...tokens, cachedInputTokens: 50 }, 'second'))).toBeCloseTo(
    0.195,
    12,
  );
});

it('agentCost does not count a nested call twice', () => {
  const inner = { ...call('fast', tokens, 'inner'), parentId: 'fast' };
  expect(costOf(call('fast', tokens), inner)).toBeCloseTo(0.12, 12);
});

it('agentCost is unknown if the cost of one call is unknown', () => {
  const unknown = (...trace: Span[]) => costOf(call('fast', tokens, 'known'), ...trace);
  expect(unknown(call('fast', undefined))).toEqual({ unknown: '1 of 2 calls to models reported no tokens' });
  expect(unknown(call('slow', tokens))).toEqual({ unknown: '"prices" has no price of the tokens of "slow"' });
  expect(unknown(call('half', tokens))).toEqual({ unknown: '"prices" has no price of the tokens of "half"' });
  expect(unknown(call('__proto__', tokens))).toHaveProperty('unknown');
  expect(costOf()).toEqual({ unknown: 'the agent reports no calls to models' });
  const [invocation] = inference([{ answer: 'Yes.' }]).invocations;
  const counted = { ...inference([{ answer: 'Yes.' }]), invocations: [{ ...invocation!, inferenceCallCount: 3 }] };
  expect(agentCost({ inference: { ...counted, trace: [call('fast', tokens)] } }, prices)).toEqual({
    unknown: '2 of 3 calls to models reported no tokens',
  });
});
