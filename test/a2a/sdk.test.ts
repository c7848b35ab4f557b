import { a2aAgent } from '@agent-criteria/agent-a2a/pure';
import { type AgentTurn, contentText, type Json } from '@agent-criteria/core';
import { agentChecks, message } from '@agent-criteria/core/testing';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { dice } from './fixtures/dice.ts';
import { closeServers } from './fixtures/listening.ts';
import { startServer0 } from './fixtures/server-0.ts';
import { startServer1 } from './fixtures/server-1.ts';
import { converse, openWith } from './fixtures/sessions.ts';

afterAll(closeServers);

const answerOf = (turn: AgentTurn | undefined) => contentText(turn?.invocation.finalResponse);

describe.each([
  { version: '0.3', start: startServer0, cancel: 'tasks/cancel' },
  { version: '1.0', start: startServer1, cancel: 'CancelTask' },
])('an agent behind a server of the SDK for A2A $version', ({ start, cancel }) => {
  describe.each([{ streaming: true }, { streaming: false }])('with streaming: $streaming', ({ streaming }) => {
    const serve = async () => a2aAgent(await start({ script: dice(), streaming }), { pollInterval: '20ms' });

    it.each(
      agentChecks({
        agent: serve,
        answer: { message: 'Hi', text: 'Hello.' },
        call: { notSupported: 'the protocol has no calls' },
        failedCall: { notSupported: 'the protocol has no calls' },
        usage: { notSupported: 'the protocol has no tokens' },
        trace: { message: 'Hi', kinds: ['agent'] },
        memory: { tell: 'I am Ada.', ask: 'Who am I?', text: 'Ada' },
        history: { notSupported: 'the protocol has none' },
        state: { notSupported: 'the protocol has none' },
        endless: { message: 'Wait.' },
        failure: { message: 'Fail.', error: 'no key' },
        stub: { notSupported: 'the tools run behind the server' },
      }),
    )('$name', ({ check }) => check());

    it('answers with a message and no task', async () => {
      const [turn] = await converse(await serve(), ['Quick.']);
      expect(turn?.error).toBeUndefined();
      expect(answerOf(turn)).toBe('No task.');
    });

    it('answers with the message of a completed task that has no artifacts', async () => {
      const [turn] = await converse(await serve(), ['Only a message.']);
      expect(answerOf(turn)).toBe('Done.');
    });

    it('records progress as a step before the answer, once', async () => {
      const [turn] = await converse(await serve(), ['Hi']);
      expect(turn?.invocation.intermediateData).toEqual({
        invocationEvents: [
          { author: expect.any(String), content: { role: 'model', parts: [{ text: 'Let me see.' }] } },
        ],
      });
    });

    it('continues a task that needs input with the next message, and begins a new one after it', async () => {
      const [asked, booked, hello] = await converse(await serve(), ['Book.', '4', 'Hi']);
      expect([asked, booked, hello].map((turn) => turn?.error)).toEqual([undefined, undefined, undefined]);
      expect(answerOf(asked)).toBe('For how many?');
      expect(asked?.invocation.intermediateData).toMatchObject({
        invocationEvents: [{}, { content: { parts: [{ text: 'A draft.' }] } }],
      });
      expect(answerOf(booked)).toBe('Booked for 4.');
      expect(JSON.stringify(booked)).not.toContain('A draft.');
      expect(JSON.stringify(booked)).not.toContain('For how many?');
      expect(answerOf(hello)).toBe('Hello.');
    });

    it('answers with data as JSON and with files, and keeps a message beside them as a step', async () => {
      const [turn] = await converse(await serve(), ['Data.']);
      expect(turn?.error).toBeUndefined();
      expect(turn?.invocation.finalResponse?.parts).toEqual([
        { text: '{"sides":6,"value":4}' },
        { inlineData: { data: 'aGVsbG8=', mimeType: 'image/png', displayName: 'die.png' } },
        { fileData: { fileUri: 'https://dice.example/die.png', mimeType: 'image/png' } },
      ]);
      expect(turn?.invocation.intermediateData).toMatchObject({
        invocationEvents: [{}, { content: { parts: [{ text: 'That is all.' }] } }],
      });
    });

    it.each([
      ['Fail.', 'the task failed: no key'],
      ['Refuse.', 'the agent rejected the task: not my business'],
      ['Login.', 'the agent asks for authentication, but no one can give it in an evaluation: sign in at the bank'],
      ['Nothing.', 'the task was completed without an answer'],
    ])('is an error with its reason after "%s"', async (text, reason) => {
      const [turn] = await converse(await serve(), [text]);
      expect(turn?.error).toMatchObject({ code: 'AGENT_FAILED', message: expect.stringContaining(reason) });
      expect(turn?.invocation.finalResponse).toBeNull();
    });

    it('gets the files of a message if its card takes them', async () => {
      const url = await start({ script: dice(), streaming, inputModes: ['text/plain', 'image/*'] });
      const agent = a2aAgent(url);
      const session = await openWith(agent);
      expect(agent.supportsFiles).toBe(true);
      const inlineData = { data: 'aGVsbG8=', mimeType: 'image/png', displayName: 'a.png' };
      const turn = await session.send({ role: 'user', parts: [{ text: 'Look.' }, { inlineData }] });
      expect(answerOf(turn)).toBe('Hello. It is a.png, image/png: aGVsbG8=.');
      const fileData = { fileUri: 'https://files.example/b.png', mimeType: 'image/png' };
      const other = await session.send({ role: 'user', parts: [{ fileData }] });
      expect(answerOf(other)).toContain('image/png: https://files.example/b.png.');
    });

    it('rejects a file if its card takes only text', async () => {
      const agent = await serve();
      const session = await openWith(agent);
      expect(agent.supportsFiles).toBe(false);
      const parts = [{ inlineData: { data: 'aGVsbG8=', mimeType: 'image/png' } }];
      await expect(session.send({ role: 'user', parts })).rejects.toMatchObject({ code: 'NOT_SUPPORTED' });
    });

    it('gets the token of the environment, which no error shows', async () => {
      const token = 'tok-4711-secret-of-ada';
      const url = await start({ script: dice(), streaming, token });
      await expect(converse(a2aAgent(url, { token: 'wrong-secret-of-bob' }), ['Hi'])).rejects.toSatisfy(
        (error: Error) => /401/.test(error.message) && !error.message.includes('secret-of-bob'),
      );
      process.env.AGENT_CRITERIA_AGENT_TOKEN = token;
      onTestFinished(() => void delete process.env.AGENT_CRITERIA_AGENT_TOKEN);
      const [turn] = await converse(a2aAgent(url), ['Hi']);
      expect(answerOf(turn)).toBe('Hello.');
    });
  });

  it('has an answer in pieces joined, and reports them as they come', async () => {
    const events: Json[] = [];
    const session = await openWith(a2aAgent(await start({ script: dice() })));
    const turn = await session.send(message('user', 'Pieces.'), {
      streaming: true,
      onEvent: (event) => events.push(event),
    });
    expect(answerOf(turn)).toBe('Roses are red.');
    const texts = events.map((event) => [Object(event).partial ?? false, Object(event).content.parts[0].text]);
    expect(texts).toEqual([
      [false, 'Let me see.'],
      [true, 'Roses '],
      [true, 'are '],
      [false, 'Roses are red.'],
    ]);
  });

  it('is asked to cancel the task of a turn that is aborted, and of a session that ends before its input', async () => {
    const calls: string[] = [];
    const url = await start({ script: dice(), onCall: (method) => calls.push(method) });
    const session = await openWith(a2aAgent(url));
    const stop = new AbortController();
    const turn = await session.send(message('user', 'Wait.'), {
      signal: stop.signal,
      onEvent: () => stop.abort(new Error('enough')),
    });
    expect(turn.error).toMatchObject({ code: 'ABORTED', message: 'enough' });
    await session.close();
    expect(calls.filter((method) => method === cancel)).toHaveLength(1);
    await converse(a2aAgent(url), ['Book.']);
    expect(calls.filter((method) => method === cancel)).toHaveLength(2);
  });

  it('goes on with the conversation after an aborted turn', async () => {
    const session = await openWith(a2aAgent(await start({ script: dice() })));
    await session.send(message('user', 'I am Ada.'));
    const stop = new AbortController();
    await session.send(message('user', 'Wait.'), { signal: stop.signal, onEvent: () => stop.abort() });
    const turn = await session.send(message('user', 'Who am I?'));
    expect(answerOf(turn)).toBe('Hello, Ada.');
    await session.close();
  });
});
