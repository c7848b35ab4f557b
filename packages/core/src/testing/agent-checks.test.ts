import type { FunctionCall } from '@agent-criteria/formats';
import { message } from '@agent-criteria/formats/eval-set';
import { expect, it } from 'vitest';
import type { Agent } from '../contracts/agent.ts';
import { type AgentExamples, agentChecks } from './agent-checks.ts';

/** An agent that breaks every rule: all its sessions share their messages, and it ignores signals and failures. */
const careless: Agent = (() => {
  const shared: string[] = [];
  return {
    name: 'careless',
    supportsStubs: true,
    async open() {
      return {
        id: '',
        send(content) {
          const text = content.parts?.[0]?.text ?? '';
          shared.push(text);
          if (text === 'Wait.') return new Promise(() => undefined);
          const toolUses: FunctionCall[] = [{ name: 'roll', args: { sides: 5 } }];
          return Promise.resolve({
            invocation: {
              userContent: message('user', 'forged'),
              finalResponse: message('model', shared.join(' ')),
              intermediateData: { toolUses, toolResponses: [] },
            },
          });
        },
        state: async () => ({}),
        close: async () => undefined,
      };
    },
  };
})();

const examples: AgentExamples = {
  agent: () => careless,
  answer: { message: 'Hi', text: 'Hi' },
  call: { message: 'Roll.', call: { name: 'roll', args: { sides: 6 } }, response: { value: 4 } },
  failedCall: { message: 'Break.', name: 'broken', error: 'out of order' },
  usage: { message: 'Roll.', modelCalls: 2 },
  trace: { message: 'Roll.', kinds: ['agent'] },
  memory: { tell: 'I am Ada.', ask: 'Who am I?', text: 'Ada' },
  history: 'supported',
  state: { notSupported: 'it has none' },
  endless: { message: 'Hi' },
  failure: { message: 'Fail.', error: 'no key' },
  stub: { notSupported: 'it has no tools' },
};

it.each(agentChecks(examples))('an agent that breaks every rule fails the check "$name"', async ({ check }) => {
  await expect(check()).rejects.toThrow();
});

it('names what is skipped, and why', () => {
  const names = agentChecks(examples).map(({ name }) => name);
  expect(names.filter((name) => name.includes('skipped'))).toEqual([
    "starts with the case's state and reads it back, in each session its own: skipped, because it has none",
    'lets stubs answer in place of a tool, in their session only: skipped, because it has no tools',
    'lets an environment answer in place of a tool, and fails the turn without an answer: skipped, because it has no tools',
  ]);
});
