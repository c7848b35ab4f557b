import { aiSdkAgent } from '@agent-criteria/agent-ai-sdk/pure';
import { agentChecks } from '@agent-criteria/core/testing';
import { describe, it } from 'vitest';
import * as z from 'zod';
import { type Major, majors } from './fixtures/majors.ts';
import { type Request, type Said, scriptedModel } from './fixtures/scripted-model.ts';

describe.each(majors)('a ToolLoopAgent of AI SDK $major', (major: Major) => {
  const { ai } = major;
  const script = ({ prompt, abortSignal }: Request): Said | Promise<Said> => {
    const last = prompt.at(-1);
    if (last?.role === 'tool') return JSON.stringify(last.content);
    const said = JSON.stringify(last?.content);
    if (said.includes('Roll')) return { call: 'roll', args: { sides: 6 } };
    if (said.includes('Break')) return { call: 'broken' };
    if (said.includes('Fail')) return new Error('no key');
    if (said.includes('Wait')) {
      return new Promise((_resolve, reject) =>
        abortSignal?.addEventListener('abort', () => reject(abortSignal.reason)),
      );
    }
    return JSON.stringify(prompt).includes('I am Ada') ? 'Hello, Ada.' : 'Hello.';
  };
  const roll = ai.tool({ inputSchema: z.object({ sides: z.number() }), execute: async () => ({ value: 4 }) });
  const broken = ai.tool({
    inputSchema: z.object({}),
    execute: async (): Promise<string> => {
      throw new Error('out of order');
    },
  });

  it.each(
    agentChecks({
      agent: () =>
        aiSdkAgent(
          new ai.ToolLoopAgent({ model: scriptedModel(major, script), tools: { roll, broken }, maxRetries: 0 }),
        ),
      answer: { message: 'Hi', text: 'Hello.' },
      call: { message: 'Roll.', call: { name: 'roll', args: { sides: 6 } }, response: { value: 4 } },
      failedCall: { message: 'Break.', name: 'broken', error: 'out of order' },
      usage: { message: 'Roll.', modelCalls: 2 },
      trace: { message: 'Roll.', kinds: ['agent', 'model', 'tool', 'model'] },
      memory: { tell: 'I am Ada.', ask: 'Who am I?', text: 'Ada' },
      history: 'supported',
      state: { notSupported: 'agents of the AI SDK have no state' },
      endless: { message: 'Wait.' },
      failure: { message: 'Fail.', error: 'no key' },
      stub: { message: 'Roll.', tool: 'roll', response: { value: 99 }, text: '99' },
    }),
  )('$name', ({ check }) => check());
});
