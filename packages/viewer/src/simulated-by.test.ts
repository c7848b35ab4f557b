import type { Span, ToolStep } from '@agent-criteria/core';
import { describe, expect, it } from 'vitest';
import { simulatedBy } from './simulated-by.ts';

const step = (name: string): ToolStep => ({ call: { name, args: {} }, response: null });
const span = (name: string, simulated?: string): Span => ({
  id: name,
  kind: 'tool',
  name,
  turn: 0,
  startedAt: 0,
  simulated,
});

describe('simulatedBy()', () => {
  it('pairs the calls of each tool with its spans in order', () => {
    const steps = [step('a'), step('b'), step('a')];
    const spans = [span('a', 'injection'), span('a'), span('b', 'recorded')];
    expect(steps.map((one) => simulatedBy(one, steps, spans))).toEqual(['injection', 'recorded', undefined]);
  });

  it('marks nothing if some calls have no span', () => {
    const steps = [step('a'), step('a')];
    expect(simulatedBy(steps[0]!, steps, [span('a', 'recorded')])).toBeUndefined();
    expect(simulatedBy(steps[0]!, steps, [])).toBeUndefined();
  });
});
