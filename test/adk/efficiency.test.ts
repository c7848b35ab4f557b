import { adkAgent } from '@agent-criteria/agent-adk/pure';
import { createRegistry } from '@agent-criteria/core/host';
import { evalCase, evalSet } from '@agent-criteria/core/testing';
import {
  inferenceCallCount,
  invocationDuration,
  tokenUsage,
  toolCallCount,
} from '@agent-criteria/criteria-efficiency/pure';
import { evaluate } from '@agent-criteria/runner';
import { AgentTool, LlmAgent } from '@google/adk';
import { expect, it } from 'vitest';
import { gemini } from './fixtures/gemini.ts';

it('efficiency criteria count the same calls and tokens as the model server, including those of an agent inside a tool', async () => {
  const sent: { input: number; output: number }[] = [];
  const server = await gemini({
    answer: ({ text }) => {
      const usage = { input: 100 + sent.length, output: 10 + sent.length };
      sent.push(usage);
      return { text: `I was asked: ${text.length}`, usage };
    },
  });
  const clerk = new LlmAgent({ name: 'clerk', model: 'gemini-2.5-flash' });
  const desk = new LlmAgent({
    name: 'desk',
    model: 'gemini-2.5-flash',
    tools: [new AgentTool({ agent: clerk })],
    // The fake returns only texts, so its first answer is replaced with the tool call.
    afterModelCallback: ({ response }) =>
      sent.length === 1
        ? {
            ...response,
            content: { role: 'model', parts: [{ functionCall: { name: 'clerk', args: { request: 'How much?' } } }] },
          }
        : undefined,
  });
  const { cases } = await evaluate({
    agent: adkAgent(desk),
    evalSet: evalSet([evalCase('price', [{ user: 'What does it cost?' }])]),
    config: { criteria: { tool_call_count_v1: 1 } },
    registry: createRegistry([toolCallCount, inferenceCallCount, tokenUsage, invocationDuration]),
  });
  const scores = Object.fromEntries(cases[0]?.criteria.map(({ name, score }) => [name, score]) ?? []);
  expect(server.requests).toHaveLength(3);
  expect(scores).toEqual({
    tool_call_count_v1: 1,
    inference_call_count_v1: server.requests.length,
    token_usage_v1: sent.reduce((sum, { input, output }) => sum + input + output, 0),
    invocation_duration_v1: expect.any(Number),
  });
  expect(cases[0]?.verdict).toBe('passed');
});
