import { expect, it } from 'vitest';
import { openLedger } from './ledger.ts';

const prices = { judge: { inputTokens: 0.01, outputTokens: 0.02 } };
const usage = { inputTokens: 10, outputTokens: 5 };

it('adds up what was sent and what answers took', () => {
  const ledger = openLedger({ prices });
  for (const to of ['judge', 'other']) {
    ledger.begin();
    ledger.add(to, { usage, from: 'live' });
  }
  expect(ledger.spent()).toEqual({ calls: 2, inputTokens: 20, outputTokens: 10, cost: 0.2, callsWithoutPrice: 1 });
  expect(ledger.warnings().map(({ message }) => message)).toEqual([expect.stringContaining('1 call to "other"')]);
  expect(ledger.isSpent()).toBe(false);
});

it('takes back a call whose answer came from elsewhere', () => {
  const ledger = openLedger({ maxCalls: 1 });
  ledger.begin();
  expect(ledger.isSpent()).toBe(true);
  ledger.add('judge', { usage, from: 'cache' });
  expect(ledger.isSpent()).toBe(false);
  expect(ledger.spent()).toMatchObject({ calls: 0, inputTokens: 0 });
});

it.each([
  [{ maxCalls: 0 }, 0],
  [{ maxCalls: 2 }, 2],
  [{ maxTokens: 16 }, 2],
  [{ maxCost: 0.2, prices }, 1],
])('is spent when a limit of %o is reached', (limits, calls) => {
  const ledger = openLedger(limits);
  for (let call = 0; call < calls; call++) {
    expect(ledger.isSpent()).toBe(false);
    ledger.begin();
    ledger.add('judge', { usage, from: 'live' });
  }
  expect(ledger.isSpent()).toBe(true);
  expect(ledger.refusal()).toMatchObject({
    code: 'BUDGET_SPENT',
    message: expect.stringMatching(/^the budget is spent: /),
  });
});

it('counts a guess towards the limits where an answer tells no tokens, and says so', () => {
  const ledger = openLedger({ maxTokens: 10 });
  ledger.begin();
  ledger.add('judge', { usage: {}, from: 'live', guess: () => usage });
  expect(ledger.isSpent()).toBe(true);
  expect(ledger.spent()).toMatchObject({ inputTokens: 0, outputTokens: 0 });
  expect(ledger.refusal().message).toContain('of 1 call estimated');
});
