import { contentText, toolSteps } from '@agent-criteria/core';
import { agentChecks, message } from '@agent-criteria/core/testing';
import { agentFromFunction } from '@agent-criteria/runner';
import { Agent } from '@mastra/core/agent';
import { createTool } from '@mastra/core/tools';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { converse, openWith } from '../ai-sdk/fixtures/sessions.ts';
import { checkedModel, useModel } from './fixtures/model.ts';
import { adapterOf } from './fixtures/pages.ts';

let underTest: Awaited<ReturnType<typeof adapterOf<Agent>>>;
beforeAll(async () => {
  underTest = await adapterOf('mastra');
});

useModel(checkedModel);

const roll = createTool({
  id: 'roll',
  description: 'Rolls a die.',
  inputSchema: z.object({ sides: z.number() }),
  execute: async (_input, { requestContext }) => {
    requestContext?.set('rolls', Number(requestContext.get('rolls') ?? 0) + 1);
    return { value: 4 };
  },
});
const broken = createTool({
  id: 'broken',
  description: 'Fails.',
  inputSchema: z.object({}),
  execute: async () => {
    throw new Error('out of order');
  },
});
const dice = () =>
  new Agent({ id: 'dice', name: 'Dice', instructions: 'Roll.', model: 'openai/gpt-6-luna', tools: { roll, broken } });

describe('a Mastra agent', () => {
  it.each(
    agentChecks({
      agent: () => agentFromFunction(underTest(dice())),
      answer: { message: 'Hi', text: 'Hello.' },
      call: { message: 'Roll.', call: { name: 'roll', args: { sides: 6 } }, response: { value: 4 } },
      failedCall: { message: 'Break.', name: 'broken', error: 'out of order' },
      usage: { message: 'Roll.', modelCalls: 2 },
      trace: { notSupported: 'a function reports no times' },
      memory: { tell: 'I am Ada.', ask: 'Who am I?', text: 'Ada' },
      history: 'supported',
      state: { initial: { rolls: 1, nested: { a: [1] } }, message: 'Roll.', after: { rolls: 2 } },
      endless: { message: 'Wait.' },
      failure: { message: 'Fail.', error: 'no such model' },
      stub: { notSupported: 'a function calls its tools itself' },
    }),
  )('$name', ({ check }) => check());

  it('remembers the calls of earlier turns, with their results', async () => {
    const turns = await converse(agentFromFunction(underTest(dice())), ['Roll.', 'Roll.', 'Count the results.']);
    expect(turns.map(({ invocation }) => toolSteps(invocation).length)).toEqual([1, 1, 0]);
    expect(contentText(turns.at(-1)?.invocation.finalResponse)).toBe('2 results');
  });

  it('has an answer that is cut off after too many steps', async () => {
    const [turn] = await converse(agentFromFunction(underTest(dice())), ['Go on.']);
    expect(turn).toMatchObject({ cutOff: 'tool-calls' });
    expect(turn && toolSteps(turn.invocation)).toHaveLength(20);
  });

  it('leaves nothing in the state of a case but what its tools set', async () => {
    const session = await openWith(agentFromFunction(underTest(dice())), { state: { plan: null } });
    await session.send(message('user', 'Roll.'));
    expect(await session.state()).toEqual({ plan: null, rolls: 1 });
  });

  it('ends a turn in which a tool waits for an approval as an error', async () => {
    const guarded = createTool({
      id: 'roll',
      description: 'Rolls a die, if allowed.',
      inputSchema: z.object({ sides: z.number() }),
      requireApproval: true,
      execute: async () => 4,
    });
    const agent = new Agent({
      id: 'dice',
      name: 'Dice',
      instructions: 'Roll.',
      model: 'openai/gpt-6-luna',
      tools: { roll: guarded },
    });
    await expect(converse(agentFromFunction(underTest(agent)), ['Roll.'])).rejects.toThrow('waits for a person');
  });

  it('has its declared tools recorded with their schemas', async () => {
    const agent = Object.assign(underTest(dice()), { instructions: 'Roll.', tools: { roll } });
    expect(await agentFromFunction(agent).describe?.()).toMatchObject({
      tools: [{ name: 'roll', description: 'Rolls a die.', parameters: { properties: { sides: { type: 'number' } } } }],
    });
  });
});
