import type { Inference, Span } from '@agent-criteria/core';
import { describe, expect, it } from 'vitest';
import { addSimulated, simulatedIn } from './simulated-calls.ts';

const span = (simulated?: string): Span => ({ id: '1', kind: 'tool', name: 'book', turn: 0, startedAt: 0, simulated });

function inference(trace?: readonly Span[]): { readonly inference: Inference } {
  const state = { initial: null, final: null };
  return { inference: { sessionId: 's', invocations: [], state, ending: { by: 'end-of-case' }, trace } };
}

describe('simulated calls', () => {
  it('are counted over all inferences, by what answered', () => {
    const all = [inference([span('injection'), span(), span('recorded')]), inference(), inference([span('injection')])];
    expect(simulatedIn(all)).toEqual({ injection: 2, recorded: 1 });
    expect(simulatedIn([inference([span()])])).toEqual({});
  });

  it('are added by what answered, also if that is named like a property of objects', () => {
    const named = JSON.parse('{"__proto__":1,"injection":2}');
    const sum = addSimulated(named, { injection: 3, recorded: 1 });
    expect(Object.entries(sum)).toEqual([
      ['__proto__', 1],
      ['injection', 5],
      ['recorded', 1],
    ]);
  });
});
