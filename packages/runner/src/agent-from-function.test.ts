import type { AgentFunction, AgentReply, Invocation } from '@agent-criteria/core';
import { message } from '@agent-criteria/core/testing';
import { describe, expect, it } from 'vitest';
import { agentFromFunction } from './agent-from-function.ts';
import { agentFromValue } from './agents.ts';

const start = { key: { setId: 's', caseId: 'c', repeat: 0 }, userId: 'u', sessionId: 'id', state: { count: 1 } };

async function ask(run: AgentFunction, text = 'Hello'): Promise<Invocation> {
  const session = await agentFromFunction(run).open(start, new AbortController().signal);
  return (await session.send(message('user', text))).invocation;
}

describe('agentFromFunction', () => {
  it.each([
    ['a misspelt key', { text: 'x', tool_calls: [{ name: 'a' }] }, 'the answer has the unknown key "tool_calls"'],
    [
      'a misspelt key of a call',
      { text: 'x', toolCalls: [{ name: 'a', arguments: {} }] },
      '"a" has the unknown key "arguments"',
    ],
    ['a call without a name', { text: 'x', toolCalls: [{ args: {} }] }, 'must be an object with a name'],
    ['a call that is a text', { text: 'x', toolCalls: ['a'] }, 'must be an object with a name'],
  ])('rejects a reply with %s, which would otherwise lose a call', async (_what, reply, message) => {
    await expect(ask(() => reply as AgentReply)).rejects.toThrow(message);
  });

  it('rejects a class before the run', () => {
    expect(() => agentFromValue(class Agent {})).toThrow('a class is not an agent');
  });

  it('accepts a string, or a promise of one', async () => {
    const expected = { userContent: message('user', 'Hello'), finalResponse: message('model', 'Hello!') };
    expect(await ask((text) => `${text}!`)).toEqual(expected);
    expect(await ask(async (text) => `${text}!`)).toEqual(expected);
  });

  it('accepts text with tool calls', async () => {
    const call = { name: 'look', args: { at: 1 } };
    const response = { name: 'look', response: { seen: true } };
    const invocation = await ask(() => ({ text: 'Seen.', toolCalls: [call], toolResponses: [response] }));
    expect(invocation).toEqual({
      userContent: message('user', 'Hello'),
      finalResponse: message('model', 'Seen.'),
      intermediateData: { toolUses: [call], toolResponses: [response] },
    });
  });

  it('accepts a message or a whole invocation', async () => {
    const content = { role: 'model', parts: [{ text: 'a' }, { text: 'b' }] };
    expect((await ask(() => content)).finalResponse).toEqual(content);
    const whole = { invocationId: 'i', userContent: message('user', 'asked'), finalResponse: content };
    expect(await ask(() => whole)).toEqual(whole);
  });

  it.each([
    [undefined, 'returned nothing'],
    [null, 'returned null'],
    [42, 'returned a number'],
    [{ answer: 'x' }, 'returned an object with the keys answer'],
    [{}, 'returned an object with the keys (none)'],
    [
      Object.fromEntries([...'abcdefghij'].map((key) => [key, 1])),
      'returned an object with the keys a, b, c, d, e, f, g, h, and 2 more',
    ],
    [{ text: 5 }, 'returned an object with the keys text'],
  ])('rejects the result %j and lists the valid kinds', async (reply, told) => {
    const run = function assistant() {
      return reply as AgentReply;
    };
    await expect(ask(run)).rejects.toThrow(`the agent function "assistant" ${told}. Return a text,`);
  });

  it('passes ids, state, earlier turns and the whole message to the function', async () => {
    const seen: unknown[] = [];
    const agent = agentFromFunction((text, session) => {
      const { id, userId, key, state, history, content } = session;
      seen.push(structuredClone({ id, userId, key, state, turns: history.length, content }));
      session.state.count = Number(session.state.count) + 1;
      return text;
    });
    const session = await agent.open(start, new AbortController().signal);
    await session.send(message('user', 'one'));
    await session.send(message('user', 'two'));
    const common = { id: 'id', userId: 'u', key: start.key };
    expect(seen).toEqual([
      { ...common, state: { count: 1 }, turns: 0, content: message('user', 'one') },
      { ...common, state: { count: 2 }, turns: 1, content: message('user', 'two') },
    ]);
    expect(await session.state()).toEqual({ count: 3 });
    expect(start.state).toEqual({ count: 1 });
  });

  it('records the message that was sent, even if the function modifies its copy', async () => {
    const invocation = await ask((_text, { content }) => {
      for (const part of content.parts ?? []) Object.assign(part, { text: 'forged' });
      return 'done';
    });
    expect(invocation.userContent).toEqual(message('user', 'Hello'));
  });

  it('continues an earlier conversation, leaving out its unanswered turns', async () => {
    const seen: (readonly Invocation[])[] = [];
    const agent = agentFromFunction((text, { history }) => {
      seen.push(history);
      return text;
    });
    const turn = (text: string) => ({ userContent: message('user', text), finalResponse: message('model', text) });
    const history = [
      { invocation: turn('one') },
      { invocation: { userContent: message('user', 'stopped') }, events: [] },
    ];
    const session = await agent.open({ ...start, history }, new AbortController().signal);
    await session.send(message('user', 'two'));
    await session.send(message('user', 'three'));
    expect(agent.supportsHistory).toBe(true);
    expect(seen).toEqual([[turn('one')], [turn('one'), turn('two')]]);
  });

  it('abandons a stopped turn whose function ignores the signal, and accepts the next turn', async () => {
    const agent = agentFromFunction((text, { history, signal }) =>
      text === 'wait' ? new Promise<string>(() => undefined) : `${history.length} ${signal.aborted}`,
    );
    const session = await agent.open(start, new AbortController().signal);
    const stop = new AbortController();
    const turn = session.send(message('user', 'wait'), { signal: stop.signal });
    stop.abort(new Error('enough'));
    await expect(turn).rejects.toThrow('enough');
    const next = await session.send(message('user', 'next'), { signal: new AbortController().signal });
    expect(next.invocation.finalResponse).toEqual(message('model', '0 false'));
  });

  it('applies state changes made between turns', async () => {
    const agent = agentFromFunction((_text, { state }) => JSON.stringify(state));
    const session = await agent.open(start, new AbortController().signal);
    await session.changeState?.({ city: 'Rome' });
    expect((await session.send(message('user', 'a'))).invocation.finalResponse?.parts).toEqual([
      { text: '{"count":1,"city":"Rome"}' },
    ]);
    expect(await session.state()).toEqual({ count: 1, city: 'Rome' });
  });

  it('rethrows errors from the function', async () => {
    await expect(ask(() => Promise.reject(new Error('no network')))).rejects.toThrow('no network');
  });
});

describe('agentFromValue', () => {
  it('accepts a function or an object that opens sessions', () => {
    const named = function assistant() {
      return 'x';
    };
    expect(agentFromValue(named).name).toBe('assistant');
    expect(agentFromValue(named, 'other').name).toBe('other');
    const agent = { name: 'mine', open: () => Promise.reject(new Error('never opened')) };
    expect(agentFromValue(agent)).toBe(agent);
  });

  it.each([
    [null, 'null'],
    [{}, 'a value of type object'],
    [5, 'a value of type number'],
  ])('rejects %j', (value, found) => {
    expect(() => agentFromValue(value)).toThrow(`${found} is not an agent: use an async function`);
  });
});
