import type { Span, ToolStep } from '@agent-criteria/core';
import { describe, expect, it } from 'vitest';
import { simulatedSteps } from './simulated-steps.ts';

const step = (name: string): ToolStep => ({ call: { name, args: {} }, response: null });
const span = (name: string, simulated?: string): Span => ({
  id: name,
  kind: 'tool',
  name,
  turn: 0,
  startedAt: 0,
  simulated,
});

describe('simulatedSteps()', () => {
  it('pairs the calls of each tool with its spans in order', () => {
    const steps = [step('a'), step('b'), step('a')];
    const spans = [span('a', 'injection'), span('a'), span('b', 'recorded')];
    const found = simulatedSteps(steps, spans);
    expect(steps.map((one) => found.get(one))).toEqual(['injection', 'recorded', undefined]);
  });

  it('marks calls only as far as it is certain if some have no span', () => {
    const steps = [step('a'), step('a')];
    expect(simulatedSteps(steps, [span('a', 'recorded')]).size).toBe(2);
    expect(simulatedSteps(steps, [span('a', 'recorded'), span('a'), span('a')]).size).toBe(0);
    expect(simulatedSteps(steps, []).size).toBe(0);
  });
});
