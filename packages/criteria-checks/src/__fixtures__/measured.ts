import type { Invocation, Span } from '@agent-criteria/core';
import { evalCase, inference } from '@agent-criteria/core/testing';

/** A conversation of two turns. */
export const asked = evalCase('shop', [{ user: 'Refund me.' }, { user: 'Thanks.' }]);

const call = (turn: number, name: string, usage?: object): Span => ({
  id: `${turn}`,
  kind: 'model',
  name,
  turn,
  startedAt: 0,
  ...(usage === undefined ? {} : { usage: { ...usage } }),
});

/** Two turns of which the agent tells all: seconds, and what each of its models took. */
export const told = inference([], {
  invocations: [turn({ duration: 2 }), turn({ duration: 0.5 })],
  trace: [
    call(0, 'large', { promptTokenCount: 100, cachedContentTokenCount: 40, candidatesTokenCount: 10 }),
    call(0, 'small', { inputTokens: 50, outputTokens: 20, reasoningTokens: 5 }),
    call(1, 'small', { inputTokens: 10 }),
  ],
});

/** Two turns of which it tells one, and of the other that it called a model. */
export const untold = inference([], {
  invocations: [turn({ duration: 2 }), turn({})],
  trace: [call(0, 'small', { inputTokens: 50, outputTokens: 20 }), call(1, 'small')],
});

function turn(more: Partial<Invocation>): Invocation {
  return { userContent: { role: 'user', parts: [{ text: 'Go on.' }] }, ...more };
}
