import { adkAgent } from '@agent-criteria/agent-adk/pure';
import { agentChecks } from '@agent-criteria/core/testing';
import { FunctionTool, LlmAgent } from '@google/adk';
import { describe, it } from 'vitest';
import * as z from 'zod';
import { lastResponse, lastText, type Said, ScriptedModel } from './fixtures/scripted-model.ts';

const tools = [
  new FunctionTool({
    name: 'roll',
    description: 'Rolls a die.',
    parameters: z.object({ sides: z.number() }),
    execute: () => ({ value: 4 }),
  }),
  new FunctionTool({
    name: 'broken',
    description: 'Fails.',
    execute: () => {
      throw new Error('out of order');
    },
  }),
  new FunctionTool({
    name: 'count',
    description: 'Counts.',
    execute: (_args, context) => {
      context?.state.set('count', Number(context.state.get('count')) + 1);
      return { counted: true };
    },
  }),
];
const model = () =>
  new ScriptedModel((request, _call, signal): Said | Promise<Said> => {
    const answered = lastResponse(request);
    if (answered) return JSON.stringify(answered.response);
    const said = lastText(request);
    if (said.startsWith('Roll')) return { call: 'roll', args: { sides: 6 } };
    if (said.startsWith('Break')) return { call: 'broken' };
    if (said.startsWith('Count')) return { call: 'count' };
    if (said.startsWith('Fail')) return new Error('no key');
    if (said.startsWith('Wait')) {
      return new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
    }
    return JSON.stringify(request.contents).includes('I am Ada') ? 'Hello, Ada.' : 'Hello.';
  });

describe('an ADK agent', () => {
  it.each(
    agentChecks({
      agent: () => adkAgent(new LlmAgent({ name: 'dice', model: model(), tools })),
      answer: { message: 'Hi', text: 'Hello.' },
      call: { message: 'Roll.', call: { name: 'roll', args: { sides: 6 } }, response: { value: 4 } },
      failedCall: { message: 'Break.', name: 'broken', error: 'out of order' },
      usage: { message: 'Roll.', modelCalls: 2 },
      trace: { message: 'Roll.', kinds: ['agent', 'model', 'tool', 'model'] },
      memory: { tell: 'I am Ada.', ask: 'Who am I?', text: 'Ada' },
      history: 'supported',
      state: { initial: { count: 1, nested: { a: [1] } }, message: 'Count.', after: { count: 2 } },
      endless: { message: 'Wait.' },
      failure: { message: 'Fail.', error: 'no key' },
      stub: { message: 'Roll.', tool: 'roll', response: { value: 99 }, text: '99' },
    }),
  )('$name', ({ check }) => check());
});
