import { describe, expect, it } from 'vitest';
import { call, event, response } from './__fixtures__/events.ts';
import type { AdkEvent } from './adk-shapes.ts';
import { watchTurn } from './watch-turn.ts';

const failed = (message: string) => ({ code: 'AGENT_FAILED', message });

describe('watchTurn() reports a failure', () => {
  it.each([
    [{ errorCode: '429', errorMessage: 'Slow down.' }, '"desk" failed: 429: Slow down.'],
    [{ errorCode: 'SAFETY' }, '"desk" failed: SAFETY'],
    [{ errorCode: 'UNKNOWN_ERROR', errorMessage: 'fetch failed' }, '"desk" failed: fetch failed'],
    [{ errorCode: 'UNKNOWN_ERROR' }, '"desk" failed: UNKNOWN_ERROR'],
    [
      { errorCode: 'UNKNOWN_ERROR', errorMessage: 'Function nope is not found in the toolsDict.' },
      '"desk" called the tool "nope", which it does not have',
    ],
    [
      { errorCode: 'UNKNOWN_ERROR', errorMessage: 'Max number of llm calls limit of 50 exceeded' },
      '"desk" was stopped: one turn took more model calls than maxLlmCalls allows (Max number of llm calls limit of 50 exceeded)',
    ],
  ])('immediately for %j', (error, told) => {
    expect(watchTurn().see(event([], error))).toEqual(failed(told));
  });

  it('for a turn without an answer, unless a tool runs the agent', () => {
    const watch = watchTurn();
    watch.see(event([{ text: 'Hi' }], { author: 'user' }));
    expect(watch.end()?.message).toContain('without an answer');
    expect(watchTurn(false).end()).toBeNull();
  });

  it.each([
    ['an empty text', [{ text: '' }]],
    ['thoughts', [{ text: 'hm', thought: true }]],
    ['a signature', [{ text: '', thoughtSignature: 'c2ln' }]],
  ])('for a turn that ends with %s', (_, parts) => {
    const watch = watchTurn();
    for (const each of [event([{ text: 'I look.' }, call]), event([response]), event(parts)]) watch.see(each);
    expect(watch.end()?.message).toContain('without an answer');
    const nested = watchTurn(false);
    nested.see(event(parts));
    expect(nested.end()).toBeNull();
  });

  it('unless an agent has answered or the turn ends with content other than text', () => {
    const ends: AdkEvent[][] = [
      [event([{ text: 'Opened.' }]), event([{ text: '' }])],
      [event([{ inlineData: { mimeType: 'image/png', data: '' } }])],
      [event([call]), event([response])],
      [event([{ text: 'Opened.' }]), event([{ text: '' }], { partial: true })],
      [event([], { author: 'flow' })],
    ];
    for (const seen of ends) {
      const watch = watchTurn();
      for (const each of seen) watch.see(each);
      expect(watch.end()).toBeNull();
    }
  });

  it('if a request to a human was not answered', () => {
    const ask = { functionCall: { id: '9', name: 'adk_request_input', args: { message: 'How many?' } } };
    const watch = watchTurn();
    expect(watch.see(event([ask]))).toBeNull();
    expect(watch.end()?.message).toContain('the agent waits for a human to answer: "How many?".');
    watch.see(event([{ functionResponse: { id: '9', name: 'adk_request_input', response: {} } }]));
    expect(watch.end()).toBeNull();
    const credential = { functionCall: { name: 'adk_request_credential', args: { auth_config: { secret: 'x' } } } };
    const other = watchTurn();
    other.see(event([credential]));
    expect(other.end()?.message).toContain('to sign in');
    expect(other.end()?.message).not.toContain('secret');
  });

  it('if a workflow node failed and was not retried', () => {
    const node = { nodeInfo: { path: 'flow.a' } };
    const watch = watchTurn();
    expect(watch.see(event([], { ...node, errorCode: '500' }))).toBeNull();
    expect(watch.end()).toEqual(failed('"desk" failed: 500'));
    watch.see(event([{ text: 'Better.' }], { nodeInfo: { path: 'flow.b' } }));
    expect(watch.end()).not.toBeNull();
    watch.see(event([], node));
    expect(watch.end()).not.toBeNull();
    watch.see(event([{ text: 'Better.' }], node));
    expect(watch.end()).toBeNull();
    watch.see(event([], { ...node, errorCode: '500' }));
    watch.see(event([], { ...node, output: 0 }));
    expect(watch.end()).toBeNull();
  });

  it.each(['Function nope is not found in the toolsDict.', 'Max number of llm calls limit of 5 exceeded'])(
    'immediately for the error "%s", even in a workflow node',
    (errorMessage) => {
      const failure = { nodeInfo: { path: 'flow.a' }, errorCode: 'UNKNOWN_ERROR', errorMessage };
      expect(watchTurn().see(event([], failure))).not.toBeNull();
    },
  );

  it('if only partial events of an answer arrived', () => {
    const watch = watchTurn();
    watch.see(event([{ text: 'Ope' }], { partial: true }));
    expect(watch.end()?.message).toBe('the answer of "desk" was cut off: only parts of it arrived');
    watch.see(event([{ text: 'Closed.' }], { author: 'other' }));
    expect(watch.end()).not.toBeNull();
    watch.see(event([{ text: 'Opened.' }]));
    expect(watch.end()).toBeNull();
  });
});

it('watchTurn() reports no failure for a turn with calls and an answer', () => {
  const watch = watchTurn();
  for (const each of [event([call]), event([response]), event([{ text: 'Opened.' }])])
    expect(watch.see(each)).toBeNull();
  expect(watch.end()).toBeNull();
});
