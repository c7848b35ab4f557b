import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { runs } from '../../../test/runs.ts';
import { answer, ask, httpError, modelOf, signal } from './__fixtures__/calls.ts';
import { withLimit } from './__fixtures__/wrappers.ts';
import type { CallEvent } from './call-event.ts';
import { type Limit, openLimit } from './limit.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const after = (milliseconds: number) => new Promise<void>((done) => setTimeout(done, milliseconds));

/** Counts concurrent calls. */
function counting(limit: Limit) {
  const seen = { now: 0, most: 0, starts: [] as number[] };
  const run = (work: () => Promise<unknown>, own = signal()): Promise<unknown> =>
    limit.run(async () => {
      seen.starts.push(performance.now());
      seen.now += 1;
      seen.most = Math.max(seen.most, seen.now);
      try {
        return await work();
      } finally {
        seen.now -= 1;
      }
    }, own);
  return { seen, run };
}

async function settle(promises: readonly Promise<unknown>[]): Promise<PromiseSettledResult<unknown>[]> {
  const [results] = await Promise.all([Promise.allSettled(promises), vi.runAllTimersAsync()]);
  return results;
}

const failing =
  (error: unknown, milliseconds = 1) =>
  () =>
    after(milliseconds).then(() => {
      throw error;
    });

describe('openLimit()', () => {
  it('runs at most `concurrency` calls at once, in the order they were made', async () => {
    const order: number[] = [];
    const { seen, run } = counting(openLimit('m', { concurrency: 3 }));
    const all = Array.from({ length: 10 }, (_, index) =>
      run(async () => {
        order.push(index);
        await after(10);
      }),
    );
    await settle(all);
    expect(seen.most).toBe(3);
    expect(order).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  it('starts waiting calls before it returns answers, one per turn of the event loop', async () => {
    vi.useRealTimers();
    const events: string[] = [];
    const limit = openLimit('m', { concurrency: 2 });
    const all = ['a', 'b', 'c', 'd', 'e'].map(async (name) => {
      const attempt = async (): Promise<void> => {
        events.push(`${name} is sent`);
        await null;
      };
      await limit.run(attempt, signal());
      events.push(`${name} is given`);
      // Everything that follows from an answer happens in the same turn of the event loop.
      for (let step = 0; step < 50; step += 1) await null;
      events.push(`${name} is worked on`);
    });
    await Promise.all(all);
    expect(events.slice(0, 5)).toEqual(['a', 'b', 'c', 'd', 'e'].map((name) => `${name} is sent`));
    const given = events.slice(5).map((event) => event.split(' ')[0]);
    for (let at = 0; at < given.length; at += 2) expect(given[at]).toBe(given[at + 1]);
  });

  it('runs 16 calls at once by default', async () => {
    const { seen, run } = counting(openLimit('m'));
    await settle(Array.from({ length: 40 }, () => run(() => after(10))));
    expect(seen.most).toBe(16);
  });

  it.each([429, 503])('halves once for all calls in flight after HTTP %d', async (status) => {
    const events: CallEvent[] = [];
    const { run } = counting(openLimit('m', { concurrency: 8, onEvent: (event) => events.push(event) }));
    await settle(Array.from({ length: 8 }, () => run(failing(httpError(status)))));
    expect(events).toEqual([{ type: 'throttled', target: 'm', concurrency: 4, of: 8 }]);
    await settle([run(failing(httpError(status)))]);
    expect(events.at(-1)).toEqual({ type: 'throttled', target: 'm', concurrency: 2, of: 8 });
  });

  it('halves again for calls that started after the last halving', async () => {
    const events: CallEvent[] = [];
    const { run } = counting(openLimit('m', { concurrency: 4, onEvent: (event) => events.push(event) }));
    await settle(Array.from({ length: 6 }, () => run(failing(httpError(429)))));
    expect(events.map((event) => event.type === 'throttled' && event.concurrency)).toEqual([2, 1]);
  });

  it.each([400, 401, 500])('does not halve after HTTP %d', async (status) => {
    const onEvent = vi.fn();
    const { run } = counting(openLimit('m', { onEvent }));
    await settle([run(failing(httpError(status)))]);
    expect(onEvent).not.toHaveBeenCalled();
  });

  it('keeps at least one permit, and grows by one with each round of answers', async () => {
    const events: CallEvent[] = [];
    const { seen, run } = counting(openLimit('m', { concurrency: 4, onEvent: (event) => events.push(event) }));
    for (let times = 0; times < 5; times += 1) await settle([run(failing(httpError(429)))]);
    seen.most = 0;
    events.length = 0;
    await settle(Array.from({ length: 20 }, () => run(() => after(10))));
    expect(seen.most).toBe(4);
    expect(events).toEqual([2, 3, 4].map((concurrency) => ({ type: 'recovered', target: 'm', concurrency, of: 4 })));
  });

  it('starts no call before the time that the service requests', async () => {
    const events: CallEvent[] = [];
    const { seen, run } = counting(openLimit('m', { concurrency: 2, onEvent: (event) => events.push(event) }));
    const begun = performance.now();
    const error = httpError(429, { headers: { 'retry-after': '30' } });
    await settle([run(failing(error)), run(() => after(5)), run(() => after(5)), run(() => after(5))]);
    const starts = seen.starts.map((start) => Math.round((start - begun) / 1000));
    expect(starts).toEqual([0, 0, 30, 30]);
    expect(events.map(({ type }) => type)).toContain('waiting');
  });

  it('ignores a requested wait that is too long', async () => {
    const { seen, run } = counting(openLimit('m', { concurrency: 1 }));
    const begun = performance.now();
    await settle([run(failing(httpError(503, { headers: { 'retry-after': '86400' } }))), run(() => after(1))]);
    expect((seen.starts[1] ?? 0) - begun).toBeLessThan(1000);
  });

  it('skips an aborted call, and starts the next', async () => {
    const { seen, run } = counting(openLimit('m', { concurrency: 1 }));
    const controller = new AbortController();
    const first = run(() => after(100));
    const second = run(() => after(1), controller.signal);
    const third = run(() => after(1));
    setTimeout(() => controller.abort('enough'), 10);
    const results = await settle([first, second, third]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(results[1]).toMatchObject({ reason: 'enough' });
    expect(seen.starts).toHaveLength(2);
    await expect(run(() => after(1), controller.signal)).rejects.toBe('enough');
  });

  it('starts at most requestsPerMinute calls within any minute', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 5 }),
        fc.array(fc.integer({ min: 0, max: 90_000 }), { minLength: 1, maxLength: 25 }),
        async (requestsPerMinute, arrivals) => {
          const { seen, run } = counting(openLimit('m', { requestsPerMinute }));
          await settle(arrivals.map((at) => after(at).then(() => run(() => after(20)))));
          expect(seen.starts).toHaveLength(arrivals.length);
          for (const [index, start] of seen.starts.entries()) {
            const later = seen.starts[index + requestsPerMinute];
            if (later !== undefined) expect(later - start).toBeGreaterThanOrEqual(60_000);
          }
        },
      ),
      { numRuns: runs(50) },
    );
  });

  it('counts the tokens used within a minute, first as estimated and then as reported', async () => {
    const events: CallEvent[] = [];
    const limit = openLimit('m', { tokensPerMinute: 100, onEvent: (event) => events.push(event) });
    const starts: number[] = [];
    const begun = performance.now();
    const model = withLimit(
      modelOf(async () => {
        starts.push(Math.round((performance.now() - begun) / 1000));
        await after(10);
        return answer('yes', { usage: { inputTokens: 40, outputTokens: 20 } });
      }),
      limit,
    );
    await settle([model.generate(ask('hi'), signal())]);
    // 60 of 100 tokens are used, and the next call is expected to use 60 as well.
    await settle([model.generate(ask('hi'), signal())]);
    expect(starts).toEqual([0, 60]);
    expect(events).toEqual([expect.objectContaining({ type: 'waiting', target: 'm', for: 'tokens-per-minute' })]);
  });

  it('runs a call alone if it exceeds the tokens allowed per minute', async () => {
    const model = withLimit(
      modelOf(async () => answer()),
      openLimit('m', { tokensPerMinute: 1 }),
    );
    const results = await settle([model.generate(ask('a long question'.repeat(10)), signal())]);
    expect(results[0]?.status).toBe('fulfilled');
  });

  it('never exceeds the limit, finishes every call, and leaks no permit', async () => {
    const call = fc.record({
      arrives: fc.integer({ min: 0, max: 100 }),
      takes: fc.integer({ min: 0, max: 50 }),
      status: fc.constantFrom(200, 200, 200, 400, 429, 503),
      wait: fc.constantFrom(undefined, 0, 20),
      abort: fc.option(fc.integer({ min: 0, max: 150 }), { freq: 3 }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 5 }),
        fc.array(call, { maxLength: 40 }),
        async (concurrency, calls) => {
          let allowed = concurrency;
          const onEvent = (event: CallEvent): void => {
            if (event.type === 'throttled' || event.type === 'recovered') allowed = event.concurrency;
          };
          const { seen, run } = counting(openLimit('m', { concurrency, onEvent }));
          const results = await settle(
            calls.map(async ({ arrives, takes, status, wait, abort }) => {
              const controller = new AbortController();
              if (abort !== null) setTimeout(() => controller.abort('enough'), abort);
              await after(arrives);
              return run(async () => {
                await after(takes);
                const headers = wait === undefined ? {} : { 'retry-after-ms': wait };
                if (status !== 200) throw httpError(status, { headers });
              }, controller.signal);
            }),
          );
          expect(results).toHaveLength(calls.length);
          expect(seen.now).toBe(0);
          expect(seen.most).toBeLessThanOrEqual(concurrency);
          expect(vi.getTimerCount()).toBe(0);
          // All permits are free again.
          seen.most = 0;
          await settle(Array.from({ length: 10 }, () => run(failing(httpError(400), 5))));
          expect(seen.most).toBe(allowed);
        },
      ),
      { numRuns: runs(200) },
    );
  });

  it.each([{ concurrency: 0 }, { concurrency: 1.5 }, { requestsPerMinute: 0 }, { tokensPerMinute: -1 }])(
    'rejects %j',
    (options) => {
      expect(() => openLimit('m', options)).toThrow(/must be a whole number above 0/);
    },
  );
});
