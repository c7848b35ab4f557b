import { contentText } from '@agent-criteria/core';
import { describe, expect, it } from 'vitest';
import { event, question } from './__fixtures__/events.ts';
import type { AdkEvent, AdkRunner } from './adk-shapes.ts';
import { runTurn } from './run-turn.ts';

/** Runs a turn in which ADK yields these events. */
function turnOf(...events: AdkEvent[]) {
  const runner = {
    async *runAsync() {
      yield* events;
    },
  } as unknown as AdkRunner;
  const { signal } = new AbortController();
  const session = { userId: 'u', sessionId: 's', runConfig: {}, message: question, index: 0, workflow: null };
  return runTurn({ runner, ...session, signal, begin() {} });
}

describe('runTurn()', () => {
  it.each([
    ['MAX_TOKENS', [event([{ text: 'Once upon' }], { finishReason: 'MAX_TOKENS' })]],
    ['interrupted', [event([{ text: 'Once upon' }], { interrupted: true })]],
    ['interrupted', [event([{ text: 'Once upon' }]), { author: 'agent', interrupted: true }]],
  ])('marks an answer as cut off: %s', async (cutOff, events) => {
    const turn = await turnOf(...events);
    expect(turn).toMatchObject({ cutOff });
    expect(turn.error).toBeUndefined();
    expect(contentText(turn.invocation.finalResponse)).toBe('Once upon');
  });

  it('ignores a cut-off event before the answer', async () => {
    const cut = event([{ text: 'Once upon' }], { finishReason: 'MAX_TOKENS' });
    expect(await turnOf(cut, event([{ text: 'Once upon a time.' }], { finishReason: 'STOP' }))).not.toHaveProperty(
      'cutOff',
    );
  });
});
