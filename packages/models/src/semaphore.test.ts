import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { signal } from './__fixtures__/calls.ts';
import { openSemaphore } from './semaphore.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Creates a semaphore with this many permits, and records the admitted calls in order. */
function semaphoreFor(limit: number, waits: Readonly<Record<string, number>> = {}) {
  const admitted: string[] = [];
  const left = { ...waits };
  const permitFor = openSemaphore<string>({
    limit: () => limit,
    admit(call) {
      const wait = left[call] ?? 0;
      left[call] = 0;
      if (wait === 0) admitted.push(call);
      return wait;
    },
  });
  return { permitFor, admitted };
}

it('a semaphore grants permits in the order in which calls were made', async () => {
  const { permitFor, admitted } = semaphoreFor(1);
  const [a, b, c] = ['a', 'b', 'c'].map((call) => permitFor(call));
  expect(a?.acquire(signal())).toBeUndefined();
  const acquired = [b?.acquire(signal()), c?.acquire(signal())];
  expect(admitted).toEqual(['a']);
  a?.release();
  await acquired[0];
  expect(admitted).toEqual(['a', 'b']);
  b?.release();
  b?.release();
  await acquired[1];
  expect(admitted).toEqual(['a', 'b', 'c']);
});

it('a semaphore asks the first call in line again after its wait', async () => {
  const { permitFor, admitted } = semaphoreFor(2, { a: 100 });
  const acquired = [permitFor('a').acquire(signal()), permitFor('b').acquire(signal())];
  await vi.advanceTimersByTimeAsync(100);
  expect(admitted).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  await Promise.all(acquired);
  expect(admitted).toEqual(['a', 'b']);
  expect(vi.getTimerCount()).toBe(0);
});

it('a semaphore admits the next call at once when the first in line is aborted', async () => {
  const { permitFor, admitted } = semaphoreFor(1, { a: 100 });
  const controller = new AbortController();
  const first = permitFor('a').acquire(controller.signal);
  const second = permitFor('b').acquire(signal());
  controller.abort('enough');
  await expect(first).rejects.toBe('enough');
  await second;
  expect(admitted).toEqual(['b']);
  expect(vi.getTimerCount()).toBe(0);
});

it('a suspended permit goes to nested calls, and comes back before other calls start', async () => {
  const { permitFor, admitted } = semaphoreFor(1);
  const outer = permitFor('outer');
  outer.acquire(signal());
  const suspendable = outer.suspendable(signal());
  suspendable.suspend();
  const inner = permitFor('inner');
  expect(inner.acquire(signal())).toBeUndefined();
  const next = permitFor('next').acquire(signal());
  const back = suspendable.resume();
  inner.release();
  await back;
  expect(admitted).toEqual(['outer', 'inner']);
  outer.release();
  await next;
  expect(admitted).toEqual(['outer', 'inner', 'next']);
});

it('a suspended call resumes without a permit when its signal aborts', async () => {
  const { permitFor } = semaphoreFor(1);
  const controller = new AbortController();
  const outer = permitFor('outer');
  outer.acquire(controller.signal);
  const suspendable = outer.suspendable(controller.signal);
  suspendable.suspend();
  const inner = permitFor('inner');
  inner.acquire(signal());
  const back = suspendable.resume();
  controller.abort('enough');
  await back;
  outer.release();
  inner.release();
  expect(permitFor('next').acquire(signal())).toBeUndefined();
});
