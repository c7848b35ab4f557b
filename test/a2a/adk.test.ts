import { a2aAgent } from '@agent-criteria/agent-a2a/pure';
import { contentText, type Json, toolSteps } from '@agent-criteria/core';
import { agentChecks, message } from '@agent-criteria/core/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startAdkServer } from './fixtures/adk-server.ts';
import { closeServers } from './fixtures/listening.ts';
import { converse, openWith } from './fixtures/sessions.ts';

let url = '';
beforeAll(async () => {
  url = await startAdkServer();
});
afterAll(closeServers);

describe('an agent that @google/adk 2 publishes', () => {
  it.each(
    agentChecks({
      agent: () => a2aAgent(url),
      answer: { message: 'Hi', text: 'Hello.' },
      call: { message: 'Roll.', call: { name: 'roll', args: { sides: 6 } }, response: { value: 4 } },
      failedCall: { message: 'Break.', name: 'broken', error: 'out of order' },
      usage: { message: 'Roll.', modelCalls: 2 },
      trace: { message: 'Roll.', kinds: ['agent', 'tool'] },
      memory: { tell: 'I am Ada.', ask: 'Who am I?', text: 'Ada' },
      history: { notSupported: 'the protocol has none' },
      state: { notSupported: 'the protocol has none' },
      endless: { message: 'Wait.' },
      failure: { message: 'Fail.', error: 'no key' },
      stub: { notSupported: 'the tools run behind the server' },
    }),
  )('$name', ({ check }) => check());

  it('is described by its card, with its skills', async () => {
    const agent = a2aAgent(url);
    expect(await agent.check?.()).toEqual([]);
    expect(await agent.describe?.()).toMatchObject({
      name: 'dice',
      type: 'A2A',
      description: expect.stringContaining('roll: Rolls a die.'),
    });
    expect(agent.supportsFiles).toBe(false);
  });

  it('has its calls without streaming, but no tokens', async () => {
    const [turn] = await converse(a2aAgent(url, { streaming: false }), ['Roll.']);
    expect(turn?.error).toBeUndefined();
    expect(contentText(turn?.invocation.finalResponse)).toBe('{"value":4}');
    expect(toolSteps(turn!.invocation)).toMatchObject([
      { call: { name: 'roll', args: { sides: 6 } }, response: { response: { value: 4 } } },
    ]);
    expect(turn?.trace).toHaveLength(1);
  });

  it('records texts once, with their author, although they came in pieces', async () => {
    const events: Json[] = [];
    const session = await openWith(a2aAgent(url));
    const turn = await session.send(message('user', 'Roll.'), {
      streaming: true,
      onEvent: (event) => events.push(event),
    });
    await session.close();
    expect(turn.invocation.intermediateData).toMatchObject({
      invocationEvents: [
        { author: 'dice', content: { parts: [{ functionCall: { name: 'roll' } }] } },
        { author: 'dice', content: { role: 'user', parts: [{ functionResponse: { name: 'roll' } }] } },
        { author: 'dice', content: null, usageMetadata: { totalTokenCount: 15 } },
      ],
    });
    expect(events.filter((event) => Object(event).partial === true)).toMatchObject([
      { content: { parts: [{ text: '{"valu' }] } },
      { content: { parts: [{ text: 'e":4}' }] } },
    ]);
    expect(events.filter((event) => Object(event).partial !== true)).toMatchObject([
      { content: { parts: [{ functionCall: {} }] } },
      { content: { parts: [{ functionResponse: {} }] } },
      { content: { parts: [{ text: '{"value":4}' }] } },
    ]);
  });

  it('that waits for a long-running tool is an error with its name', async () => {
    const [turn] = await converse(a2aAgent(url), ['Approve.']);
    expect(turn?.error?.message).toContain('the agent waits for an answer to "ask_manager"');
    expect(turn?.invocation.finalResponse).toBeNull();
  });

  it('rejects a case with an initial state before a message is sent', async () => {
    await expect(openWith(a2aAgent(url), { state: { plan: 'pro' } })).rejects.toMatchObject({ code: 'NOT_SUPPORTED' });
  });

  it('goes on after a failed turn', async () => {
    const [, , second] = await converse(a2aAgent(url), ['I am Ada.', 'Fail.', 'Who am I?']);
    expect(contentText(second?.invocation.finalResponse)).toBe('Hello, Ada.');
  });
});
