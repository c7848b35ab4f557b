import { wideController } from '@agent-criteria/calls';
import { describe, expect, it, vi } from 'vitest';
import { type Limit, openGuard } from './guard.ts';

const never = (): Promise<never> => new Promise(() => undefined);
const quiet = new AbortController().signal;

async function guarded<T>(work: () => T | PromiseLike<T>, limit: Limit, signal = quiet): Promise<T> {
  const guard = openGuard(signal);
  try {
    return await guard.run(work, limit);
  } finally {
    guard.end();
  }
}

describe('openGuard()', () => {
  it('resolves with the result of the work, whether synchronous or not', async () => {
    expect(await guarded(() => 1, { milliseconds: 1000, who: 'it' })).toBe(1);
    expect(await guarded(async () => 2, { milliseconds: 1000, who: 'it' })).toBe(2);
  });

  it('rejects with the error of the work, whether synchronous or not', async () => {
    const fail = () => {
      throw new Error('at once');
    };
    await expect(guarded(fail, { milliseconds: 1000, who: 'it' })).rejects.toThrow('at once');
    const failLater = () => Promise.reject(new Error('later'));
    await expect(guarded(failLater, { milliseconds: 1000, who: 'it' })).rejects.toThrow('later');
  });

  it('rejects with a TIMEOUT error that names the subject and the limit', async () => {
    await expect(guarded(never, { milliseconds: 5, who: 'the agent' })).rejects.toMatchObject({
      code: 'TIMEOUT',
      message: 'the agent took longer than 5 ms',
    });
    await expect(guarded(never, { milliseconds: 5, of: 2000, who: 'the case' })).rejects.toThrow(
      'the case took longer than 2 s',
    );
  });

  it('limits each step separately', async () => {
    vi.useFakeTimers();
    try {
      const guard = openGuard(quiet);
      const sleep = (ms: number) => () => new Promise((done) => setTimeout(done, ms, ms));
      const limit = { milliseconds: 60, who: 'it' };
      for (let step = 0; step < 3; step++) {
        const slept = guard.run(sleep(30), limit);
        await vi.advanceTimersByTimeAsync(30);
        expect(await slept).toBe(30);
      }
      for (const milliseconds of [10, 20]) {
        const late = expect(guard.run(never, { milliseconds, who: 'it' })).rejects.toThrow(`${milliseconds} ms`);
        await vi.advanceTimersByTimeAsync(milliseconds);
        await late;
      }
      guard.end();
    } finally {
      vi.useRealTimers();
    }
  });

  it('accepts limits that are longer than a timer allows', async () => {
    vi.useFakeTimers();
    try {
      for (const milliseconds of [Number.MAX_SAFE_INTEGER, Number.POSITIVE_INFINITY]) {
        const settled = vi.fn();
        guarded(never, { milliseconds, who: 'it' }).catch(settled);
        await vi.advanceTimersByTimeAsync(1_000_000);
        expect(settled).not.toHaveBeenCalled();
      }
    } finally {
      vi.useRealTimers();
    }
  });

  it('rejects with the reason of an abort, both before and during the work', async () => {
    const controller = new AbortController();
    const during = guarded(never, { milliseconds: 60_000, who: 'it' }, controller.signal);
    controller.abort(new Error('enough'));
    await expect(during).rejects.toThrow('enough');
    const work = vi.fn();
    await expect(guarded(work, { milliseconds: 60_000, who: 'it' }, controller.signal)).rejects.toThrow('enough');
    expect(work).not.toHaveBeenCalled();
  });

  it('lets work go on for a grace period after an abort', async () => {
    const controller = new AbortController();
    controller.abort(new Error('enough'));
    const limit = { milliseconds: 60_000, who: 'it', grace: 1000 };
    const close = () => new Promise((done) => setTimeout(done, 5, 'closed'));
    expect(await guarded(close, limit, controller.signal)).toBe('closed');
    await expect(guarded(never, { ...limit, grace: 5 }, controller.signal)).rejects.toThrow('enough');
  });

  it('uses one timer for many steps, and leaves no timer or listener behind', async () => {
    vi.useFakeTimers();
    try {
      const { signal } = wideController();
      const added = vi.spyOn(signal, 'addEventListener');
      const removed = vi.spyOn(signal, 'removeEventListener');
      const guard = openGuard(signal);
      for (let step = 0; step < 5; step++) await guard.run(() => 1, { milliseconds: 60_000, who: 'it' });
      expect(vi.getTimerCount()).toBe(1);
      guard.end();
      expect(vi.getTimerCount()).toBe(0);
      expect(added).toHaveBeenCalledOnce();
      expect(removed).toHaveBeenCalledOnce();
    } finally {
      vi.useRealTimers();
    }
  });
});
