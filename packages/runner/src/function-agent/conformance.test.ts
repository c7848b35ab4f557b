import type { AgentFunction } from '@agent-criteria/core';
import { agentChecks } from '@agent-criteria/core/testing';
import { describe, it } from 'vitest';
import { agentFromFunction } from './agent-from-function.ts';

const run: AgentFunction = (text, { history, signal, state }) => {
  const usage = { inputTokens: 7, outputTokens: 2 };
  const toolCalls = [{ name: 'roll', args: { sides: 6 }, result: { value: 4 } }];
  if (text.startsWith('Roll')) return { text: 'A four.', toolCalls, usage: [usage, usage] };
  if (text.startsWith('Break')) return { text: 'Sorry.', toolCalls: [{ name: 'broken', error: 'out of order' }] };
  if (text.startsWith('Fail')) throw new Error('no key');
  if (text.startsWith('Wait')) {
    return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  }
  state.count = Number(state.count ?? 0) + 1;
  return JSON.stringify(history).includes('I am Ada') ? 'Hello, Ada.' : 'Hello.';
};

describe('a function agent', () => {
  it.each(
    agentChecks({
      agent: () => agentFromFunction(run),
      answer: { message: 'Hi', text: 'Hello.' },
      call: { message: 'Roll.', call: { name: 'roll', args: { sides: 6 } }, response: { value: 4 } },
      failedCall: { message: 'Break.', name: 'broken', error: 'out of order' },
      usage: { message: 'Roll.', modelCalls: 2 },
      trace: { notSupported: 'a function reports no times' },
      memory: { tell: 'I am Ada.', ask: 'Who am I?', text: 'Ada' },
      history: 'supported',
      state: { initial: { count: 1, nested: { a: [1] } }, message: 'Hi', after: { count: 2 } },
      endless: { message: 'Wait.' },
      failure: { message: 'Fail.', error: 'no key' },
      stub: { notSupported: 'a function calls its tools itself' },
    }),
  )('$name', ({ check }) => check());
});
