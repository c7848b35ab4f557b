import { CriteriaError } from '@agent-criteria/core';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { runs } from '../../../test/runs.ts';
import { answer, ask, httpError, modelOf, signal } from './__fixtures__/calls.ts';
import { withBudget } from './__fixtures__/wrappers.ts';
import { type BudgetOptions, openBudget } from './budget.ts';
import type { CallEvent } from './call-event.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const after = (milliseconds: number) => new Promise<void>((done) => setTimeout(done, milliseconds));
const prices = { 'test-model': { inputTokens: 0.01, outputTokens: 0.02 } };

async function settle<T>(promises: readonly Promise<T>[]): Promise<PromiseSettledResult<T>[]> {
  const [results] = await Promise.all([Promise.allSettled(promises), vi.runAllTimersAsync()]);
  return results;
}

describe('openBudget()', () => {
  it('makes exactly maxCalls calls, and rejects all others once those have ended', async () => {
    const events: CallEvent[] = [];
    const budget = openBudget({ maxCalls: 3, onEvent: (event) => events.push(event) });
    let ended = 0;
    const generate = vi.fn(async () => {
      await after(50);
      ended += 1;
      return answer();
    });
    const model = withBudget(modelOf(generate), budget);
    const calls = Array.from({ length: 5 }, () =>
      model.generate(ask('hi'), signal()).catch((error: unknown) => {
        expect(ended).toBe(3);
        throw error;
      }),
    );
    const results = await settle(calls);
    expect(results.map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'fulfilled',
      'rejected',
      'rejected',
    ]);
    expect(generate).toHaveBeenCalledTimes(3);
    const reason = (results[4] as PromiseRejectedResult).reason;
    expect(reason).toMatchObject({
      code: 'BUDGET_SPENT',
      message:
        'the budget is spent: 3 of 3 calls (--max-calls); finished work is saved: raise the limit and resume the run',
    });
    const spent = { calls: 3, inputTokens: 30, outputTokens: 15, cost: 0, callsWithoutPrice: 3 };
    expect(events).toEqual([{ type: 'budget-spent', spent }]);
    expect(budget.spent()).toEqual(spent);
  });

  it.each<[BudgetOptions, RegExp]>([
    [{ maxTokens: 100 }, /: \d{3} of 100 tokens \(--max-tokens\); of 4 calls estimated from the texts/],
    [{ maxCost: 1.5, prices }, /: 1\.\d+ of 1\.5 \(--max-cost\); of 4 calls estimated/],
  ])('estimates tokens that no answer reports, so that the limit %o is reached', async (limits, message) => {
    const budget = openBudget(limits);
    const generate = vi.fn(async () => answer('y'.repeat(40), { usage: {} }));
    const model = withBudget(modelOf(generate), budget);
    const request = ask('q'.repeat(20));
    for (let count = 0; count < 4; count++) await model.generate(request, signal());
    await expect(model.generate(request, signal())).rejects.toMatchObject({
      code: 'BUDGET_SPENT',
      message: expect.stringMatching(message),
    });
    expect(generate).toHaveBeenCalledTimes(4);
    // Reported totals do not include the estimates.
    expect(budget.spent()).toMatchObject({ inputTokens: 0, outputTokens: 0, cost: 0 });
    expect(budget.warnings().at(-1)?.message).toBe(
      '4 calls to "test-model" reported no token usage; for the limit it was estimated from the texts',
    );
  });

  it.each<[BudgetOptions, number, RegExp]>([
    [{ maxTokens: 31 }, 3, /45 of 31 tokens \(--max-tokens\)/],
    [{ maxCost: 0.5, prices }, 3, /0.6 of 0.5 \(--max-cost\)/],
    [{ maxCalls: 2, maxTokens: 30 }, 2, /2 of 2 calls \(--max-calls\), 30 of 30 tokens/],
    [{ maxCalls: 0 }, 0, /0 of 0 calls/],
  ])('rejects calls once a limit is reached: %j', async (options, made, says) => {
    const generate = vi.fn(async () => answer());
    const model = withBudget(modelOf(generate), openBudget(options));
    const messages: string[] = [];
    for (let index = 0; index < 5; index += 1) {
      await model.generate(ask('hi'), signal()).catch((error: Error) => messages.push(error.message));
    }
    expect(generate).toHaveBeenCalledTimes(made);
    expect(messages).toHaveLength(5 - made);
    expect(messages[0]).toMatch(says);
  });

  it('counts failed attempts as calls', async () => {
    const budget = openBudget({ maxCalls: 1 });
    const model = withBudget(
      modelOf(async () => {
        throw httpError(503);
      }),
      budget,
    );
    await expect(model.generate(ask('hi'), signal())).rejects.toMatchObject({ status: 503 });
    await expect(model.generate(ask('hi'), signal())).rejects.toMatchObject({ code: 'BUDGET_SPENT' });
  });

  it('does not count answers from a cache or a recording', async () => {
    const budget = openBudget({ maxCalls: 2 });
    const froms = ['cache', 'recording', 'live'] as const;
    let asked = 0;
    const model = withBudget(
      modelOf(async () => {
        const from = froms[asked % 3] ?? 'live';
        asked += 1;
        return answer('yes', { from });
      }),
      budget,
    );
    for (let index = 0; index < 6; index += 1) await model.generate(ask('hi'), signal());
    expect(budget.spent()).toMatchObject({ calls: 2, inputTokens: 20 });
    await expect(model.generate(ask('hi'), signal())).rejects.toMatchObject({ code: 'BUDGET_SPENT' });
  });

  it('warns about calls without a known price', async () => {
    const budget = openBudget({ prices });
    for (const id of ['test-model', 'unknown', 'unknown']) {
      await withBudget(
        modelOf(async () => answer(), id),
        budget,
      ).generate(ask('hi'), signal());
    }
    expect(budget.spent().cost).toBeCloseTo(0.2);
    expect(budget.spent().callsWithoutPrice).toBe(2);
    expect(budget.warnings().map(({ message }) => message)).toEqual([
      'the cost of 2 calls to "unknown" is unknown and not included in any total: there is no price for what they reported',
    ]);
    expect(openBudget().warnings()).toEqual([]);
  });

  it('rejects a waiting call when its signal aborts', async () => {
    const budget = openBudget({ maxCalls: 1 });
    const model = withBudget(
      modelOf(() => after(100).then(() => answer())),
      budget,
    );
    const controller = new AbortController();
    const calls = [model.generate(ask('hi'), signal()), model.generate(ask('hi'), controller.signal)];
    setTimeout(() => controller.abort('enough'), 10);
    const results = await settle(calls);
    expect(results[0]?.status).toBe('fulfilled');
    expect(results[1]).toMatchObject({ reason: 'enough' });
  });

  it('never exceeds the number of calls, and leaves no call waiting', async () => {
    const call = fc.record({
      arrives: fc.integer({ min: 0, max: 60 }),
      takes: fc.integer({ min: 0, max: 40 }),
      tokens: fc.integer({ min: 0, max: 20 }),
      fails: fc.boolean(),
      from: fc.constantFrom('live', 'live', 'cache'),
      abort: fc.option(fc.integer({ min: 0, max: 100 }), { freq: 4 }),
    });
    const limits = fc.record({
      maxCalls: fc.integer({ min: 0, max: 12 }),
      maxTokens: fc.option(fc.integer({ min: 0, max: 100 }), { nil: undefined }),
    });
    await fc.assert(
      fc.asyncProperty(limits, fc.array(call, { maxLength: 30 }), async (options, calls) => {
        const budget = openBudget(options);
        let sent = 0;
        let inFlight = 0;
        const results = await settle(
          calls.map(async ({ arrives, takes, tokens, fails, from, abort }) => {
            const controller = new AbortController();
            if (abort !== null) setTimeout(() => controller.abort('enough'), abort);
            const model = modelOf(async () => {
              sent += from === 'live' || fails ? 1 : 0;
              inFlight += 1;
              expect(budget.spent().calls).toBeLessThanOrEqual(options.maxCalls);
              await after(takes);
              inFlight -= 1;
              if (fails) throw httpError(500);
              return answer('yes', { from: from as 'live' | 'cache', usage: { inputTokens: tokens } });
            });
            await after(arrives);
            return withBudget(model, budget)
              .generate(ask('hi'), controller.signal)
              .catch((error: unknown) => {
                if (CriteriaError.is(error)) expect(inFlight).toBe(0);
                throw error;
              });
          }),
        );
        expect(results).toHaveLength(calls.length);
        expect(sent).toBeLessThanOrEqual(options.maxCalls);
        expect(budget.spent().calls).toBe(sent);
      }),
      { numRuns: runs(200) },
    );
  });

  it.each<BudgetOptions>([{ maxCalls: -1 }, { maxTokens: 0.5 }, { maxCost: Number.NaN }])('rejects %j', (options) => {
    expect(() => openBudget(options)).toThrow(/must be/);
  });
});

describe('openBudget() with a cost limit', () => {
  it('requires prices', () => {
    expect(() => openBudget({ maxCost: 1 })).toThrow(/maxCost needs prices/);
  });
});
