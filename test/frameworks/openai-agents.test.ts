import { contentText, toolSteps } from '@agent-criteria/core';
import { agentChecks } from '@agent-criteria/core/testing';
import { modelEvents } from '@agent-criteria/core/usage';
import { agentFromFunction } from '@agent-criteria/runner';
import { Agent, tool } from '@openai/agents';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { converse } from '../ai-sdk/fixtures/sessions.ts';
import { checkedModel, useModel } from './fixtures/model.ts';
import { adapterOf } from './fixtures/pages.ts';

type Adapter = Awaited<ReturnType<typeof adapterOf<Agent>>>;
let underTest: Adapter;
beforeAll(async () => {
  underTest = await adapterOf('openai-agents');
});

useModel(checkedModel);

const roll = tool({
  name: 'roll',
  description: 'Rolls a die.',
  parameters: z.object({ sides: z.number() }),
  execute: async (_args, context) => {
    const state = context?.context as { rolls?: number };
    state.rolls = (state.rolls ?? 0) + 1;
    return { value: 4 };
  },
});
const broken = tool({
  name: 'broken',
  description: 'Fails.',
  parameters: z.object({}),
  execute: async (): Promise<string> => {
    throw new Error('out of order');
  },
  errorFunction: (_context, error) => `Error: ${(error as Error).message}`,
});
const mute = tool({
  name: 'broken',
  description: 'Fails with the text of the SDK.',
  parameters: z.object({}),
  execute: async (): Promise<string> => {
    throw new Error('out of order');
  },
});
const dice = (tools: Agent['tools'] = [roll, broken]) =>
  new Agent({ name: 'dice', model: 'gpt-6-luna', instructions: 'Roll dice.', tools });

describe('an agent of @openai/agents', () => {
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

  it('has its instructions and declared tools recorded', async () => {
    expect(await agentFromFunction(underTest(dice()), 'dice').describe?.()).toMatchObject({
      instructions: 'Roll dice.',
      tools: [{ name: 'roll', description: 'Rolls a die.', parameters: { type: 'object' } }, { name: 'broken' }],
    });
  });

  it('has a call that failed recorded as an error even with the text that the SDK writes', async () => {
    const [turn] = await converse(agentFromFunction(underTest(dice([mute]))), ['Break.']);
    expect(turn && toolSteps(turn.invocation)[0]?.response?.response).toEqual({
      error: 'An error occurred while running the tool. Please try again.',
    });
  });

  it('remembers the calls of earlier turns, with their results', async () => {
    const turns = await converse(agentFromFunction(underTest(dice())), ['Roll.', 'Count the results.']);
    expect(turns.map(({ invocation }) => contentText(invocation.finalResponse))).toEqual([
      'I got {"value":4}',
      '1 results',
    ]);
  });

  it('hands the conversation over to another agent, which keeps it in the next turn', async () => {
    const scout = new Agent({ name: 'scout', model: 'gpt-6-luna', instructions: 'You are the scout.', tools: [roll] });
    const desk = Agent.create({ name: 'desk', model: 'gpt-6-luna', instructions: 'Hand over.', handoffs: [scout] });
    const turns = await converse(agentFromFunction(underTest(desk), 'desk'), ['Hand over.', 'Roll.']);
    const steps = turns.map(({ invocation }) => toolSteps(invocation).map(({ call }) => call.name));
    expect(steps).toEqual([['transfer_to_scout'], ['roll']]);
  });

  it('counts the tokens of an agent inside a tool, of which only the call is recorded', async () => {
    const scout = new Agent({ name: 'scout', model: 'gpt-6-luna', instructions: 'You are the scout.', tools: [roll] });
    const asked = scout.asTool({ toolName: 'ask_scout', toolDescription: 'Asks the scout.' });
    const [turn] = await converse(agentFromFunction(underTest(dice([asked]))), ['Ask the scout.']);
    if (turn === undefined) throw new Error('there is no turn');
    expect(toolSteps(turn.invocation).map(({ call }) => call.name)).toEqual(['ask_scout']);
    expect(modelEvents(turn.invocation)).toHaveLength(4);
  });

  it('ends a turn in which a tool waits for an approval as an error', async () => {
    const guarded = tool({
      name: 'roll',
      description: 'Rolls a die, if allowed.',
      parameters: z.object({ sides: z.number() }),
      needsApproval: true,
      execute: async () => 4,
    });
    await expect(converse(agentFromFunction(underTest(dice([guarded]))), ['Roll.'])).rejects.toThrow('approval');
  });

  it('ends a turn of too many steps as an error', async () => {
    await expect(converse(agentFromFunction(underTest(dice())), ['Go on.'])).rejects.toThrow('Max turns (10) exceeded');
  });
});
