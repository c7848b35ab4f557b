import { describe, expect, it } from 'vitest';
import { findSubAgent } from './sub-agent.ts';

const prime = { name: 'prime', runAsync() {} };
const dice = { name: 'dice', subAgents: [{ name: 'roll', subAgents: [prime] }] };

describe('findSubAgent', () => {
  it('finds an agent at any depth, including the root itself', () => {
    expect(findSubAgent([dice], 'prime')).toBe(prime);
    expect(findSubAgent([dice], 'dice')).toBe(dice);
    expect(findSubAgent([{ rootAgent: dice }], 'prime')).toBe(prime);
  });

  it("calls an agent's own findAgent, and ignores a result with a different name", () => {
    const hidden = { name: 'hidden' };
    expect(
      findSubAgent([{ name: 'a', findAgent: (name: string) => (name === 'hidden' ? hidden : undefined) }], 'hidden'),
    ).toBe(hidden);
    expect(() => findSubAgent([{ name: 'a', findAgent: () => ({ name: 'b' }) }], 'hidden')).toThrow('known: a');
  });

  it('finds a function by its own name', () => {
    const answer = () => 'x';
    expect(findSubAgent([undefined, 1, answer], 'answer')).toBe(answer);
  });

  it('lists the known names and suggests a similar one', () => {
    expect(() => findSubAgent([dice], 'prim', 'agent.ts')).toThrow(
      'agent.ts: there is no agent named "prim"; did you mean "prime"? (known: dice, roll, prime)',
    );
    expect(() => findSubAgent([{}], 'x')).toThrow('none of the agents has a name');
  });

  it('terminates if agents contain each other', () => {
    const one: { name: string; subAgents: unknown[] } = { name: 'one', subAgents: [] };
    one.subAgents.push({ name: 'two', subAgents: [one] });
    const endless = () => ({
      name: 'again',
      get subAgents() {
        return [endless()];
      },
    });
    expect(() => findSubAgent([one], 'three')).toThrow('known: one, two');
    expect(() => findSubAgent([endless()], 'three')).toThrow('known: again');
  });
});
