import { expect, it } from 'vitest';
import { openSpending } from './spending.ts';

const prices = { judge: { inputTokens: 0.01, outputTokens: 0.02 } };
const usage = { inputTokens: 10, outputTokens: 5 };

it('openSpending() adds up the calls and the usage of answers', () => {
  const spending = openSpending({ prices });
  for (const to of ['judge', 'other']) {
    spending.begin();
    spending.add(to, { usage, from: 'live' });
  }
  expect(spending.spent()).toEqual({ calls: 2, inputTokens: 20, outputTokens: 10, cost: 0.2, callsWithoutPrice: 1 });
  expect(spending.warnings().map(({ message }) => message)).toEqual([expect.stringContaining('1 call to "other"')]);
  expect(spending.isSpent()).toBe(false);
});

it('openSpending() does not count a call that was answered from a cache', () => {
  const spending = openSpending({ maxCalls: 1 });
  spending.begin();
  expect(spending.isSpent()).toBe(true);
  spending.add('judge', { usage, from: 'cache' });
  expect(spending.isSpent()).toBe(false);
  expect(spending.spent()).toMatchObject({ calls: 0, inputTokens: 0 });
});

it.each([
  [{ maxCalls: 0 }, 0],
  [{ maxCalls: 2 }, 2],
  [{ maxTokens: 16 }, 2],
  [{ maxCost: 0.2, prices }, 1],
])('openSpending() reports that the budget is spent when a limit of %o is reached', (limits, calls) => {
  const spending = openSpending(limits);
  for (let call = 0; call < calls; call++) {
    expect(spending.isSpent()).toBe(false);
    spending.begin();
    spending.add('judge', { usage, from: 'live' });
  }
  expect(spending.isSpent()).toBe(true);
  expect(spending.refusal()).toMatchObject({
    code: 'BUDGET_SPENT',
    message: expect.stringMatching(/^the budget is spent: /),
  });
});

it('openSpending() counts an estimate towards the limits if no tokens are reported, and warns', () => {
  const spending = openSpending({ maxTokens: 10 });
  spending.begin();
  spending.add('judge', { usage: {}, from: 'live', guess: () => usage });
  expect(spending.isSpent()).toBe(true);
  expect(spending.spent()).toMatchObject({ inputTokens: 0, outputTokens: 0 });
  expect(spending.refusal().message).toContain('of 1 call estimated');
});
