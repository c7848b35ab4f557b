import { type AgentTurn, contentText, type Json, toolSteps } from '@agent-criteria/core';
import { message } from '@agent-criteria/core/testing';
import { describe, expect, it } from 'vitest';
import { stepsOf6, stepsOf7 } from './__fixtures__/recorded-steps.ts';
import { type AiSdkFunction, aiSdkAgent } from './ai-sdk-agent.ts';
import { aiSdkAgents } from './ai-sdk-agents.ts';

// The real package is tested in test/ai-sdk, with both of its major versions.

async function ask(run: AiSdkFunction, onEvent?: (event: Json) => void): Promise<AgentTurn> {
  const start = { key: { setId: 's', caseId: 'c', repeat: 0 }, userId: 'u', state: {} };
  const session = await aiSdkAgent(run, { name: 'desk' }).open(start, new AbortController().signal);
  return session.send(message('user', 'Hello'), { onEvent });
}

describe('aiSdkAgent()', () => {
  it.each([
    ['6', stepsOf6],
    ['7', stepsOf7],
  ])('reads the recorded steps of version %s', async (_, steps) => {
    const { invocation, error, trace } = await ask(() => ({ text: 'Done.', steps }));
    expect(error).toBeUndefined();
    expect(contentText(invocation.finalResponse)).toBe('Done.');
    expect(
      toolSteps(invocation).map(({ call, response }) => [call.name, Object.keys(response?.response ?? {})]),
    ).toEqual([
      ['roll', ['value']],
      ['bad', ['error']],
      ['nope', ['error']],
    ]);
    expect(trace).toHaveLength(6);
  });

  it('records results that JSON would lose as a note, and not as an error', async () => {
    const content = [
      { type: 'tool-call', toolCallId: 'a', toolName: 'count', input: {} },
      { type: 'tool-result', toolCallId: 'a', toolName: 'count', output: { n: Number.NaN, at: new Date(0) } },
    ];
    const { invocation } = await ask(() => ({ text: '', steps: [{ content, finishReason: 'tool-calls' }] }));
    expect(toolSteps(invocation)[0]?.response?.response).toEqual({
      n: '(left out: NaN)',
      at: '1970-01-01T00:00:00.000Z',
    });
  });

  it('reports an error in a stream as the error of the turn, after the pieces that came before', async () => {
    const events: Json[] = [];
    const failed = Promise.reject(new Error('no output'));
    async function* fullStream() {
      yield { type: 'text-delta', id: '0', text: 'An' };
      yield { type: 'error', error: new TypeError('no key') };
    }
    const result = { text: failed, steps: failed, fullStream: fullStream() };
    const { error, invocation } = await ask(
      () => result,
      (event) => void events.push(event),
    );
    expect(error).toMatchObject({ message: 'no key', stack: expect.any(String) });
    expect(invocation.finalResponse).toBeNull();
    expect(events).toEqual([{ author: 'desk', partial: true, content: { role: 'model', parts: [{ text: 'An' }] } }]);
  });

  it('rejects what is neither an agent nor a function', () => {
    expect(() => aiSdkAgent({ model: 'x' } as never)).toThrow('a value of type object is not an agent of the AI SDK');
  });
});

describe('aiSdkAgents', () => {
  const like = { version: 'agent-v1', id: 'desk', tools: {}, generate: async () => null, stream: async () => null };

  it('accepts agents of the AI SDK only, which are described without a call', async () => {
    expect(aiSdkAgents.accepts(like)).toBe(true);
    expect(aiSdkAgents.accepts({ ...like, version: 'agent-v2' })).toBe(false);
    expect(aiSdkAgents.accepts({ ...like, open: () => null })).toBe(false);
    expect(await aiSdkAgents.adapt(like, 'a.ts').describe?.()).toEqual({ name: 'desk', type: 'Object', tools: [] });
  });

  it('does not claim stubs for an agent whose settings cannot be read', () => {
    expect(aiSdkAgents.adapt(like, 'a.ts').supportsStubs).toBe(false);
  });
});
