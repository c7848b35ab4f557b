import {
  type AgentFunction,
  type AgentReply,
  type FunctionSession,
  type Invocation,
  type InvocationEvents,
  intermediateTexts,
  toolSteps,
} from '@agent-criteria/core';
import type { FunctionSessionStart } from '@agent-criteria/core/host';
import { message } from '@agent-criteria/core/testing';
import { describe, expect, it, vi } from 'vitest';
import { agentFromValue } from '../agents.ts';
import { agentFromFunction } from './agent-from-function.ts';

const start = { key: { setId: 's', caseId: 'c', repeat: 0 }, userId: 'u', sessionId: 'id', state: { count: 1 } };

async function ask(run: AgentFunction, text = 'Hello'): Promise<Invocation> {
  const session = await agentFromFunction(run).open(start, new AbortController().signal);
  return (await session.send(message('user', text))).invocation;
}

describe('agentFromFunction', () => {
  it.each([
    ['a misspelt key', { text: 'x', tool_calls: [{ name: 'a' }] }, 'the answer has the unknown key "tool_calls"'],
    ['a misspelt key of a call', { text: 'x', toolCalls: [{ name: 'a', argz: {} }] }, '"a" has the unknown key "argz"'],
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

  const picture = { inlineData: { mimeType: 'image/png', data: 'AA==', displayName: 'cat.png' } };

  it('rejects a message with files for a function of its text only, which would lose them', async () => {
    let calls = 0;
    const agent = agentFromFunction(function desk() {
      calls += 1;
      return 'done';
    });
    const session = await agent.open(start, new AbortController().signal);
    const said = { role: 'user', parts: [{ text: 'Look' }, picture] };
    await expect(session.send(said)).rejects.toThrow(
      'the agent "desk" takes only text, so it would lose the message\'s files ("cat.png")',
    );
    expect([agent.supportsFiles, calls]).toEqual([false, 0]);
  });

  it('gives the files of a message to a function that declares that it takes them', async () => {
    const run: AgentFunction = (text, { content }) => `${text}|${content.parts?.[0]?.inlineData?.displayName}`;
    const agent = agentFromFunction(Object.assign(run, { supportsFiles: true }));
    const session = await agent.open(start, new AbortController().signal);
    const { invocation } = await session.send({ role: 'user', parts: [picture] });
    expect(agent.supportsFiles).toBe(true);
    expect(invocation).toEqual({
      userContent: { role: 'user', parts: [picture] },
      finalResponse: message('model', '|cat.png'),
    });
  });

  it('rejects a declaration that is neither true nor false', () => {
    const run = Object.assign(() => 'done', { supportsFiles: 'image/*' as unknown as boolean });
    expect(() => agentFromFunction(run, 'desk')).toThrow('supportsFiles of the agent "desk" must be true or false');
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

describe('what a function agent reports', () => {
  const usage = { promptTokenCount: 7, candidatesTokenCount: 2, totalTokenCount: 9 };

  it('keeps calls with their results in order, in the spellings of ADK, the AI SDK and OpenAI', async () => {
    const invocation = await ask(() => ({
      text: 'Done.',
      toolCalls: [
        { name: 'look', args: { at: 1 }, result: { seen: true } },
        { toolCallId: 't', toolName: 'count', input: { of: 'it' }, output: 3 },
        { type: 'function_call', call_id: 'o', name: 'stop', arguments: '{"now":true}', error: new Error('too late') },
        { id: 'c', type: 'function', function: { name: 'wait', arguments: '{}' } },
      ],
    }));
    expect(toolSteps(invocation)).toEqual([
      { call: { name: 'look', args: { at: 1 } }, response: { name: 'look', response: { seen: true } } },
      {
        call: { id: 't', name: 'count', args: { of: 'it' } },
        response: { id: 't', name: 'count', response: { result: 3 } },
      },
      {
        call: { id: 'o', name: 'stop', args: { now: true } },
        response: { id: 'o', name: 'stop', response: { error: 'too late' } },
      },
      { call: { id: 'c', name: 'wait', args: {} }, response: null },
    ]);
  });

  it.each([
    ['a list', ['{"a":1}', '[1]'], 'the arguments of the tool call "x" must be an object'],
    ['text that is not JSON', ['{'], 'the arguments of the tool call "x" must be an object'],
  ])('rejects arguments that are %s', async (_what, texts, message) => {
    const toolCalls = texts.map((text) => ({ name: 'x', arguments: text }));
    await expect(ask(() => ({ text: 'a', toolCalls }))).rejects.toThrow(message);
  });

  it('counts tokens of each model call, in the spellings of Gemini, the AI SDK and OpenAI', async () => {
    const invocation = await ask(() => ({
      text: 'Done.',
      toolCalls: [{ name: 'look' }],
      usage: [
        { model: 'gemini-3', ...usage },
        { model: 'gpt-6', prompt_tokens: 7, completion_tokens: 3, completion_tokens_details: { reasoning_tokens: 1 } },
        { inputTokens: 7, outputTokens: 2, inputTokenDetails: { cacheReadTokens: 4 } },
      ],
    }));
    const { invocationEvents = [] } = invocation.intermediateData as InvocationEvents;
    expect(invocationEvents).toMatchObject([
      { modelVersion: 'gemini-3', usageMetadata: usage, content: null },
      { modelVersion: 'gpt-6', usageMetadata: { ...usage, thoughtsTokenCount: 1, totalTokenCount: 10 } },
      { modelVersion: null, usageMetadata: { ...usage, cachedContentTokenCount: 4 }, content: null },
    ]);
  });

  it('keeps texts of sub-agents and calls in the order of the steps', async () => {
    const invocation = await ask(() => ({
      text: 'Booked.',
      steps: [
        { usage: { inputTokens: 7, outputTokens: 2 }, model: 'gpt-6' },
        { text: 'Looking.', author: 'scout' },
        { name: 'book', args: { day: 1 }, result: 'ok', author: 'scout' },
      ],
      grounding: { webSearchQueries: ['q'] },
    }));
    expect(intermediateTexts(invocation)).toEqual([{ author: 'scout', text: 'Looking.' }]);
    expect(invocation.intermediateData).toEqual({
      invocationEvents: [
        {
          author: 'scout',
          content: {
            role: 'model',
            parts: [{ text: 'Looking.' }, { functionCall: { name: 'book', args: { day: 1 } } }],
          },
          usageMetadata: usage,
          modelVersion: 'gpt-6',
        },
        {
          author: 'scout',
          content: { role: 'user', parts: [{ functionResponse: { name: 'book', response: { result: 'ok' } } }] },
        },
        { author: 'agent', content: null, groundingMetadata: { webSearchQueries: ['q'] } },
      ],
    });
  });

  it('rejects calls given twice', async () => {
    await expect(ask(() => ({ text: 'a', steps: [], toolCalls: [] }))).rejects.toThrow('both "steps" and "toolCalls"');
  });

  it('keeps the reason why an answer is incomplete', async () => {
    const session = await agentFromFunction(() => ({ text: 'An', cutOff: 'length' })).open(
      start,
      new AbortController().signal,
    );
    expect(await session.send(message('user', 'Hello'))).toMatchObject({ cutOff: 'length' });
  });

  it('declares instructions and tools, which are recorded with each turn', async () => {
    const agent = Object.assign(() => 'Hi', {
      instructions: 'Be brief.',
      tools: { look: { description: 'Looks.', inputSchema: { jsonSchema: { type: 'object' } } } },
    });
    const tools = [{ name: 'look', description: 'Looks.', parameters: { type: 'object' } }];
    expect(await agentFromFunction(agent, 'desk').describe?.()).toEqual({
      name: 'desk',
      instructions: 'Be brief.',
      tools,
    });
    const { appDetails } = await ask(agent);
    expect(appDetails).toEqual({
      agentDetails: {
        agent: { name: 'agent', instructions: 'Be brief.', toolDeclarations: [{ functionDeclarations: tools }] },
      },
    });
  });

  it('opens resources before the first turn and closes them once', async () => {
    const log: string[] = [];
    const agent = Object.assign((text: string, { locals }: FunctionSession) => `${locals.db} ${text}`, {
      open({ locals }: FunctionSessionStart) {
        log.push('open');
        locals.db = 'db';
      },
      close({ locals }: FunctionSessionStart) {
        log.push(`close ${locals.db}`);
      },
    });
    const session = await agentFromFunction(agent).open(start, new AbortController().signal);
    const { invocation } = await session.send(message('user', 'a'));
    await session.close();
    await session.close();
    expect(invocation.finalResponse).toEqual(message('model', 'db a'));
    expect(log).toEqual(['open', 'close db']);
  });

  it.each([
    ['closes', () => undefined],
    ['closes, even if closing fails too,', () => Promise.reject(new Error('nothing to close'))],
  ])('%s what a failing open has opened', async (_, closed) => {
    const close = vi.fn(closed);
    const open = () => Promise.reject(new Error('no database'));
    const opening = agentFromFunction(Object.assign(() => '', { open, close })).open(
      start,
      new AbortController().signal,
    );
    await expect(opening).rejects.toThrow('no database');
    expect(close).toHaveBeenCalledOnce();
  });
});

describe('a function agent that streams', () => {
  const streamed = async (run: AgentFunction) => {
    const events: unknown[] = [];
    const session = await agentFromFunction(run, 'desk').open(start, new AbortController().signal);
    const turn = await session.send(message('user', 'Hello'), { onEvent: (event) => void events.push(event) });
    return { events, ...turn };
  };

  it('answers with the text after the last step, and shows pieces as they come', async () => {
    const { invocation, events } = await streamed(async function* () {
      yield 'Let me ';
      yield 'look.';
      yield { name: 'look', args: {}, result: { seen: true } };
      yield 'It is ';
      yield 'there.';
    });
    expect(invocation.finalResponse).toEqual(message('model', 'It is there.'));
    expect(intermediateTexts(invocation)).toEqual([{ author: 'desk', text: 'Let me look.' }]);
    expect(toolSteps(invocation)).toHaveLength(1);
    const piece = (text: string) => ({ author: 'desk', partial: true, content: message('model', text) });
    expect(events.slice(0, 4)).toEqual(['Let me ', 'look.', 'It is ', 'there.'].map(piece));
    expect(events.at(-1)).toEqual({ author: 'desk', content: message('model', 'It is there.') });
  });

  it('takes the value that a generator returns as the answer', async () => {
    const { invocation } = await streamed(async function* () {
      yield { text: 'Thinking.', author: 'scout' };
      return { text: 'Done.', usage: { inputTokens: 7, outputTokens: 2 } };
    });
    expect(invocation.finalResponse).toEqual(message('model', 'Done.'));
    expect(intermediateTexts(invocation)).toEqual([{ author: 'scout', text: 'Thinking.' }]);
  });

  it('ends a generator that yields what cannot be read', async () => {
    let isReleased = false;
    const run = async function* () {
      try {
        yield { nme: 'look' } as never;
      } finally {
        isReleased = true;
      }
    };
    await expect(streamed(run)).rejects.toThrow('must be an object with a name');
    expect(isReleased).toBe(true);
  });

  it('rejects with the error of a stream', async () => {
    const run = async function* () {
      yield 'a';
      throw new Error('cut off');
    };
    await expect(streamed(run)).rejects.toThrow('cut off');
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
