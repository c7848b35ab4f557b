import { expect, it } from 'vitest';
import type { EndedCall } from '../engine/call-tools.ts';
import { callAttributes } from './span-attributes.ts';

const call: EndedCall = {
  role: 'criterion',
  key: { setId: 's', caseId: 'c', repeat: 0 },
  caller: 'fluency',
  turn: 0,
  sample: 0,
  target: 'judge',
  startedAt: 0,
  endedAt: 1,
};

it('callAttributes() includes only known values', () => {
  expect(callAttributes({ ...call, usage: {} })).toEqual({
    'gen_ai.operation.name': 'chat',
    'gen_ai.request.model': 'judge',
    'agent_criteria.caller': 'fluency',
  });
  expect(callAttributes({ ...call, usage: { inputTokens: 3, outputTokens: 1 }, finish: 'stop' })).toMatchObject({
    'gen_ai.usage.input_tokens': 3,
    'gen_ai.usage.output_tokens': 1,
    'gen_ai.response.finish_reasons': ['stop'],
  });
  const half = callAttributes({ ...call, usage: { outputTokens: 1 } });
  expect(half).toMatchObject({ 'gen_ai.usage.output_tokens': 1 });
  expect(half).not.toHaveProperty(['gen_ai.usage.input_tokens']);
});
