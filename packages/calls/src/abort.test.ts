import fc from 'fast-check';
import { expect, it, vi } from 'vitest';
import { onAbort, untilAborted, wideController } from './abort.ts';

it('onAbort() calls each listener once, unless it was removed', () => {
  const controller = wideController();
  const told = [vi.fn(), vi.fn(), vi.fn()];
  const [, forget] = told.map((listener) => onAbort(controller.signal, listener));
  forget?.();
  controller.abort();
  expect(told.map((listener) => listener.mock.calls.length)).toEqual([1, 0, 1]);
});

it('onAbort() lets any listener be removed at any time, even more than once', () => {
  const run = (forgotten: readonly number[]) => {
    const controller = wideController();
    const told: number[] = [];
    const forget = Array.from({ length: 6 }, (_, index) => onAbort(controller.signal, () => told.push(index)));
    for (const index of forgotten) forget[index]?.();
    onAbort(controller.signal, () => told.push(6));
    controller.abort();
    return told.sort();
  };
  fc.assert(
    fc.property(fc.array(fc.nat(5)), (forgotten) => {
      expect(run(forgotten)).toEqual([0, 1, 2, 3, 4, 5, 6].filter((index) => !forgotten.includes(index)));
    }),
  );
});

it('onAbort() adds one listener to the signal, and removes it when the last callback is removed', () => {
  const { signal } = wideController();
  const added = vi.spyOn(signal, 'addEventListener');
  const removed = vi.spyOn(signal, 'removeEventListener');
  const forget = [1, 2, 3].map(() => onAbort(signal, () => undefined));
  for (const one of forget) one();
  expect(added).toHaveBeenCalledOnce();
  expect(removed).toHaveBeenCalledOnce();
});

it('untilAborted() waits for work until the signal aborts, without a timer', async () => {
  vi.useFakeTimers();
  try {
    const controller = new AbortController();
    expect(await untilAborted(() => 1, controller.signal)).toBe(1);
    const work = untilAborted(() => new Promise(() => undefined), controller.signal);
    expect(vi.getTimerCount()).toBe(0);
    controller.abort(new Error('enough'));
    await expect(work).rejects.toThrow('enough');
    await expect(untilAborted(() => 1, controller.signal)).rejects.toThrow('enough');
  } finally {
    vi.useRealTimers();
  }
});
