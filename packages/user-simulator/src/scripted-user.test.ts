import {
  defineCriterion,
  noOptions,
  optionsSchema,
  type PartialOptions,
  type UserMove,
  type UserSimulator,
} from '@agent-criteria/core';
import { createRegistry } from '@agent-criteria/core/host';
import { scriptedModel } from '@agent-criteria/core/testing';
import { evaluate } from '@agent-criteria/runner';
import { describe, expect, expectTypeOf, it } from 'vitest';
import * as z from 'zod/mini';
import { scenario } from './__fixtures__/conversations.ts';
import { defineUserSimulator } from './define-user-simulator.ts';
import { type ScriptedUserOptions, scriptedUser, type UserScript } from './scripted-user.ts';

const turns = defineCriterion({
  name: 'turns',
  origin: { package: 'test', version: '1.0.0' },
  description: 'Every turn counts.',
  decides: true,
  range: { min: 0, max: 1, better: 'higher' },
  options: noOptions,
  scope: 'turn',
  evaluate: () => ({ value: 1 }),
});

/** Runs a conversation, and returns the messages to the agent, the ending and the verdict. */
async function conversation(simulator: UserSimulator, options: object = {}, answers: readonly string[] = []) {
  const heard: string[] = [];
  const model = scriptedModel(['4711.']);
  const agent = (message: string) => {
    heard.push(message);
    return answers[heard.length - 1] ?? 'I see.';
  };
  const { cases, inferences } = await evaluate({
    agent: Object.assign(agent, { supportsFiles: true }),
    evalSet: { evalSetId: 'set', evalCases: [{ evalId: 'one', conversationScenario: scenario }] },
    config: {
      plugins: [simulator, turns],
      criteria: { turns: 1 },
      userSimulatorConfig: { type: simulator.name, ...options },
    },
    models: (name) => (name === 'helper' ? model : undefined),
  });
  return { heard, ending: inferences[0]?.inference.ending, verdict: cases[0]?.verdict };
}

describe('scriptedUser()', () => {
  it("opens with the starting prompt and then sends the function's messages", async () => {
    const script: UserScript = ({ turn, answer, soFar, key }) => {
      expect(soFar).toHaveLength(turn);
      expect(key).toEqual({ setId: 'set', caseId: 'one', repeat: 0 });
      return answer.includes('number') ? '4711.' : null;
    };
    const found = await conversation(scriptedUser('impatient', script), {}, ['Which number?', 'It is open.']);
    expect(found).toEqual({
      heard: [scenario.startingPrompt, '4711.'],
      ending: { by: 'user', reason: 'the script ended' },
      verdict: 'passed',
    });
  });

  it('accepts a message, an ending or both from the function', async () => {
    const picture = { parts: [{ text: 'Look.' }, { inlineData: { mimeType: 'image/png', data: 'AAAA' } }] };
    const bye: UserMove = { message: { parts: [{ text: 'Bye.' }] }, ending: { by: 'user', reason: 'enough' } };
    const found = await conversation(scriptedUser('both', ({ turn }) => (turn === 1 ? picture : bye)));
    expect(found.heard).toEqual([scenario.startingPrompt, 'Look.', 'Bye.']);
    expect(found.ending).toEqual({ by: 'user', reason: 'enough' });
  });

  it('lets the function call a model', async () => {
    const script: UserScript = async ({ tools }) =>
      (await tools.model('helper').generate({ messages: [], sample: 0 }, tools.signal)).text;
    const found = await conversation(scriptedUser('half', script), { max_allowed_invocations: 2 });
    expect(found.heard).toEqual([scenario.startingPrompt, '4711.']);
  });

  it('ends at its turn limit, which is given as the reason', async () => {
    const found = await conversation(scriptedUser('endless', () => 'And then?'));
    expect(found.heard).toHaveLength(20);
    expect(found.ending).toMatchObject({ by: 'turn-limit', reason: expect.stringContaining('all 20 messages') });
    const short = await conversation(
      scriptedUser('endless', () => 'And then?'),
      { maxAllowedInvocations: 2 },
    );
    expect(short.heard).toHaveLength(2);
    await expect(
      conversation(
        scriptedUser('endless', () => null),
        { max_allowed_invocations: 0 },
      ),
    ).rejects.toThrow('0 would end every conversation');
  });

  it("reports an error thrown by the function as the user's error, without judging the agent", async () => {
    const broken = scriptedUser('broken', () => {
      throw new Error('no idea');
    });
    const { ending, verdict } = await conversation(broken);
    expect(ending).toMatchObject({ by: 'error', of: 'user', error: { message: expect.stringContaining('no idea') } });
    expect(verdict).toBe('error');
  });

  it('can replace llm_backed', async () => {
    const found = await conversation(scriptedUser('llm_backed', () => null));
    expect(found.heard).toEqual([scenario.startingPrompt]);
  });
});

describe('a custom user simulator', () => {
  const schema = z.object({ words: z._default(z.array(z.string()), []) });
  const parrot = defineUserSimulator({
    name: 'parrot',
    origin: { package: 'user-simulator-parrot', version: '1.0.0' },
    options: optionsSchema<{ words?: string[] | undefined }, { words: string[] }>(
      schema,
      z.toJSONSchema(schema, { io: 'input' }),
    ),
    check: (_scenario, { words }) =>
      words.length > 0 ? [] : [{ code: 'INVALID_OPTION', message: 'a parrot needs words' }],
    open: ({ scenario: { startingPrompt } }, { words }) => ({
      async next(soFar) {
        const text = [startingPrompt, ...words][soFar.length];
        return text === undefined ? { ending: { by: 'user' } } : { message: { role: 'user', parts: [{ text }] } };
      },
    }),
  });

  it('is selected by its type, and its options are checked', async () => {
    const found = await conversation(parrot, { words: ['Hello', 'Polly'] });
    expect(found.heard).toEqual([scenario.startingPrompt, 'Hello', 'Polly']);
    await expect(conversation(parrot, { words: [] })).rejects.toThrow('a parrot needs words');
    await expect(conversation(parrot, { word: [] })).rejects.toThrow('did you mean "words"');
  });

  it('can be registered like any plugin', () => {
    expect(createRegistry([parrot]).get('user-simulator', 'parrot')).toBe(parrot);
    expect(createRegistry([scriptedUser('own', () => null)]).get('user-simulator', 'own')?.origin).toEqual({
      package: 'scripted-user',
      version: '0.0.0',
    });
  });

  it('keeps the types of its name and options', () => {
    expectTypeOf(parrot).toEqualTypeOf<
      UserSimulator<'parrot', { words?: string[] | undefined }, { words: string[] }>
    >();
    expectTypeOf(scriptedUser('own', () => null)).toEqualTypeOf<
      UserSimulator<'own', PartialOptions<ScriptedUserOptions>, ScriptedUserOptions>
    >();
  });
});
