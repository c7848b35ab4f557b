import type { RunInfo, RunSet } from '@agent-criteria/results';
import { describe, expect, it } from 'vitest';
import { titleOf } from './title-of.ts';

const title = (agent: string, ...names: string[]) =>
  titleOf({ info: { agent } as RunInfo, sets: names.map((id) => ({ id }) as RunSet) });

describe('titleOf()', () => {
  it.each([
    ['examples/lamp/agent.ts', 'night: lamp'],
    ['./examples/lamp/', 'night: lamp'],
    ['examples\\lamp\\index.js', 'night: lamp'],
    ['lamp.ts', 'night: lamp'],
    ['agent.ts', 'night: agent'],
    ['http://127.0.0.1:8000/apps/lamp?user=me', 'night: lamp'],
    ['a2a+https://lamp.example', 'night: lamp.example'],
    ['https://agents.example/lamp/.well-known/agent-card.json', 'night: lamp'],
    ['https://lamp.example/agent.json', 'night: lamp.example'],
    ['http://127.0.0.1:8000', 'night: 127.0.0.1:8000'],
    ['lamp agent', 'night: lamp agent'],
  ])('shortens the agent %s to its name', (agent, expected) => {
    expect(title(agent, 'night')).toBe(expected);
  });

  it("does not repeat a set's name if it equals the agent's", () => {
    expect(title('examples/concierge', 'Concierge')).toBe('Concierge');
  });

  it('names up to three sets, and counts the rest', () => {
    expect(title('lamp', 'a', 'b', 'c', 'd', 'e')).toBe('a, b, c and 2 more: lamp');
    expect(title('examples/lamp')).toBe('lamp');
  });
});
