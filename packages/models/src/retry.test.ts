import { CriteriaError } from '@agent-criteria/core';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { answer, ask, httpError, modelOf, signal } from './__fixtures__/calls.ts';
import { withRetry } from './__fixtures__/wrappers.ts';
import type { CallEvent } from './call-event.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** Creates a model that fails with each of these errors and then answers, and records when it was called. */
function failing(...errors: readonly unknown[]) {
  const at: number[] = [];
  const begun = performance.now();
  const model = modelOf(async () => {
    at.push(performance.now() - begun);
    if (at.length <= errors.length) throw errors[at.length - 1];
    return answer();
  });
  return { model, at };
}

async function settled<T>(promise: Promise<T>): Promise<PromiseSettledResult<T>> {
  const [result] = await Promise.all([Promise.allSettled([promise]), vi.runAllTimersAsync()]);
  return result[0] as PromiseSettledResult<T>;
}

const reasonOf = (result: PromiseSettledResult<unknown>) => (result.status === 'rejected' ? result.reason : undefined);

describe('retrying()', () => {
  it('makes seven attempts, with at most 5, 10, 20, 40, 80 and 120 seconds between them', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(1);
    const { model, at } = failing(...Array.from({ length: 9 }, () => httpError(503)));
    const reason = reasonOf(await settled(withRetry(model).generate(ask('hi'), signal())));
    expect(at.map((time) => time / 1000)).toEqual([0, 5, 15, 35, 75, 155, 275]);
    expect(reason).toMatchObject({
      code: 'CALL_FAILED',
      message: 'test-model: overloaded (HTTP 503): HTTP 503 (7 attempts)',
    });
    expect(reason.cause).toMatchObject({ status: 503 });
  });

  it('waits for a random time between half of the maximum delay and all of it', async () => {
    await fc.assert(
      fc.asyncProperty(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), async (chance) => {
        vi.spyOn(Math, 'random').mockReturnValue(chance);
        const { model, at } = failing(httpError(500));
        await settled(withRetry(model).generate(ask('hi'), signal()));
        expect(at[1]).toBeGreaterThanOrEqual(2500);
        expect(at[1]).toBeLessThanOrEqual(5000);
      }),
    );
  });

  it('waits at least as long as the service requests', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(1);
    const { model, at } = failing(
      httpError(429, { headers: { 'retry-after': '60' } }),
      httpError(429, { headers: { 'retry-after': '1' } }),
    );
    await settled(withRetry(model).generate(ask('hi'), signal()));
    expect(at).toEqual([0, 60_000, 70_000]);
  });

  it.each([
    ['a bad request', httpError(400)],
    ['a wrong key', httpError(401)],
    ['a quota per day', httpError(429, { body: { error: { message: 'requests per day' } } })],
    ['a mistake in code', new TypeError('x is not a function')],
  ])('does not retry %s', async (_name, error) => {
    const { model, at } = failing(error);
    const reason = reasonOf(await settled(withRetry(model).generate(ask('hi'), signal())));
    expect(at).toEqual([0]);
    expect(reason).toMatchObject({ code: 'CALL_FAILED', cause: error });
    expect(reason.message).not.toContain('attempts');
  });

  it('makes no second attempt with maxRetries 0', async () => {
    const { model, at } = failing(httpError(503));
    const result = await settled(withRetry(model, { maxRetries: 0 }).generate(ask('hi'), signal()));
    expect(result.status).toBe('rejected');
    expect(at).toHaveLength(1);
  });

  it('does not multiply nested retries', async () => {
    const { model, at } = failing(...Array.from({ length: 99 }, () => httpError(503)));
    await settled(withRetry(withRetry(model, { maxRetries: 2 })).generate(ask('hi'), signal()));
    expect(at).toHaveLength(3);
  });

  it.each(['length', 'blocked', 'other'] as const)(
    'does not retry an answer with the finish reason "%s"',
    async (finish) => {
      const generate = vi.fn(async () => answer('', { finish }));
      const given = await withRetry(modelOf(generate)).generate(ask('hi'), signal());
      expect(given.finish).toBe(finish);
      expect(generate).toHaveBeenCalledTimes(1);
    },
  );

  it('rethrows other CriteriaErrors, and retries timeouts', async () => {
    const spent = new CriteriaError({ code: 'BUDGET_SPENT', message: 'spent' });
    const { model, at } = failing(new CriteriaError({ code: 'TIMEOUT', message: 'slow' }), spent);
    expect(reasonOf(await settled(withRetry(model).generate(ask('hi'), signal())))).toBe(spent);
    expect(at).toHaveLength(2);
  });

  it('rejects with the signal’s reason when it aborts during a wait', async () => {
    const { model, at } = failing(httpError(503), httpError(503));
    const controller = new AbortController();
    const result = settled(withRetry(model).generate(ask('hi'), controller.signal));
    setTimeout(() => controller.abort('enough'), 1000);
    expect(reasonOf(await result)).toBe('enough');
    expect(at).toHaveLength(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('rejects with the signal’s reason, whatever an aborted attempt throws', async () => {
    const controller = new AbortController();
    const model = modelOf(async () => {
      controller.abort('enough');
      throw httpError(503);
    });
    expect(reasonOf(await settled(withRetry(model).generate(ask('hi'), controller.signal)))).toBe('enough');
  });

  it('emits an event for each retry, and ignores errors thrown by the watcher', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(1);
    const events: CallEvent[] = [];
    const onEvent = (event: CallEvent): void => {
      events.push(event);
      throw new Error('broken progress line');
    };
    const { model } = failing(httpError(429), httpError(503));
    const result = await settled(withRetry(model, { onEvent, maxRetries: 3 }).generate(ask('hi'), signal()));
    expect(result.status).toBe('fulfilled');
    expect(events).toEqual([
      {
        type: 'retrying',
        target: 'test-model',
        attempt: 2,
        of: 4,
        wait: 5000,
        kind: 'rate-limit',
        reason: 'rate limit (HTTP 429): HTTP 429',
      },
      {
        type: 'retrying',
        target: 'test-model',
        attempt: 3,
        of: 4,
        wait: 10_000,
        kind: 'overload',
        reason: 'overloaded (HTTP 503): HTTP 503',
      },
    ]);
  });
});
