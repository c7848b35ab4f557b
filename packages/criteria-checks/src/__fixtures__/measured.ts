import type { Invocation, Span } from '@agent-criteria/core';
import { evalCase, inference } from '@agent-criteria/core/testing';

/** A conversation with two turns. */
export const asked = evalCase('shop', [{ user: 'Refund me.' }, { user: 'Thanks.' }]);

const call = (turn: number, name: string, usage?: object): Span => ({
  id: `${turn}`,
  kind: 'model',
  name,
  turn,
  startedAt: 0,
  ...(usage === undefined ? {} : { usage: { ...usage } }),
});

/** Two fully reported turns: their seconds, and the tokens of each model call. */
export const told = inference([], {
  invocations: [turn({ duration: 2 }), turn({ duration: 0.5 })],
  trace: [
    call(0, 'large', { promptTokenCount: 100, cachedContentTokenCount: 40, candidatesTokenCount: 10 }),
    call(0, 'small', { inputTokens: 50, outputTokens: 20, reasoningTokens: 5 }),
    call(1, 'small', { inputTokens: 10 }),
  ],
});

/** Two turns, the first without a call's tokens reported and the second without duration or tokens. */
export const untold = inference([], {
  invocations: [turn({ duration: 2 }), turn({})],
  trace: [call(0, 'small', { inputTokens: 50, outputTokens: 20 }), call(1, 'small')],
});

function turn(more: Partial<Invocation>): Invocation {
  return { userContent: { role: 'user', parts: [{ text: 'Go on.' }] }, ...more };
}
