import { describe, expect, it } from 'vitest';
import { checkBudget } from './check-budget.ts';

const prices = { 'test-model': { inputTokens: 0.01, outputTokens: 0.02 } };

describe('checkBudget()', () => {
  it('reports models without prices if there is a cost limit', () => {
    const known = { ...prices, half: { inputTokens: 1 }, broken: { inputTokens: Number.NaN, outputTokens: 1 } };
    const ids = ['test-model', 'half', 'broken', 'none', 'none', 'constructor'];
    const problems = checkBudget({ maxCost: 1 }, known, ids);
    expect(problems.map(({ path }) => path)).toEqual(
      ['half', 'broken', 'none', 'constructor'].map((id) => `$.prices["${id}"]`),
    );
    expect(problems[0]?.code).toBe('INVALID_CONFIG');
    expect(checkBudget({ maxCost: 1 }, undefined, ['none'])).toHaveLength(1);
    expect(checkBudget({ maxCalls: 1 }, undefined, ids)).toEqual([]);
  });
});
