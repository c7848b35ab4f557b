import { contentText, toolSteps } from '@agent-criteria/core';
import { agentChecks } from '@agent-criteria/core/testing';
import { agentFromFunction } from '@agent-criteria/runner';
import { openAI } from '@genkit-ai/compat-oai/openai';
import { type GenerateOptions, type GenerateResponse, genkit, z } from 'genkit';
import { beforeAll, describe, expect, it } from 'vitest';
import { converse } from '../ai-sdk/fixtures/sessions.ts';
import { checkedModel, useModel } from './fixtures/model.ts';
import { adapterOf } from './fixtures/pages.ts';

type Generate = (turn: GenerateOptions) => Promise<GenerateResponse>;
let underTest: Awaited<ReturnType<typeof adapterOf<Generate>>>;
let dice: Generate;
beforeAll(async () => {
  underTest = await adapterOf('genkit');
});

useModel(checkedModel);

beforeAll(() => {
  const ai = genkit({ plugins: [openAI()], model: 'openai/gpt-6-luna' });
  const roll = ai.defineTool(
    { name: 'roll', description: 'Rolls a die.', inputSchema: z.object({ sides: z.number() }) },
    async (_input, { context }) => {
      const { rolls, state } = context as { rolls?: number; state: { rolls?: number } };
      state.rolls = (rolls ?? 0) + 1;
      return { value: 4 };
    },
  );
  const broken = ai.defineTool({ name: 'broken', description: 'Fails.', inputSchema: z.object({}) }, async () => ({
    error: 'out of order',
  }));
  const throwing = ai.defineTool(
    { name: 'ask_scout', description: 'Throws.', inputSchema: z.object({ input: z.string() }) },
    async (): Promise<string> => {
      throw new Error('the scout is ill');
    },
  );
  dice = (turn) => ai.generate({ system: 'Roll.', tools: [roll, broken, throwing], ...turn });
});

describe('a Genkit agent', () => {
  it.each(
    agentChecks({
      agent: () => agentFromFunction(underTest(dice)),
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
    const turns = await converse(agentFromFunction(underTest(dice)), ['Roll.', 'Roll.', 'Count the results.']);
    expect(turns.map(({ invocation }) => toolSteps(invocation).length)).toEqual([1, 1, 0]);
    expect(contentText(turns.at(-1)?.invocation.finalResponse)).toBe('2 results');
  });

  it.each([
    ['a tool throws', 'Ask the scout.', 'the scout is ill'],
    ['there are too many rounds of tools', 'Go on.', 'maximum tool call iterations'],
  ])('ends a turn as an error if %s', async (_what, asked, error) => {
    await expect(converse(agentFromFunction(underTest(dice)), [asked])).rejects.toThrow(error);
  });
});
