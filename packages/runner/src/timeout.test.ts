import { describe, expect, it, vi } from 'vitest';
import { untilAborted, within } from './timeout.ts';

const never = (): Promise<never> => new Promise(() => undefined);
const quiet = new AbortController().signal;

describe('within', () => {
  it('gives what the work gives, promised or not', async () => {
    expect(await within(() => 1, { milliseconds: 1000, who: 'it', signal: quiet })).toBe(1);
    expect(await within(async () => 2, { milliseconds: 1000, who: 'it', signal: quiet })).toBe(2);
  });

  it('passes on what the work throws, promised or not', async () => {
    const fail = () => {
      throw new Error('at once');
    };
    await expect(within(fail, { milliseconds: 1000, who: 'it', signal: quiet })).rejects.toThrow('at once');
    const failLater = () => Promise.reject(new Error('later'));
    await expect(within(failLater, { milliseconds: 1000, who: 'it', signal: quiet })).rejects.toThrow('later');
  });

  it('is a TIMEOUT that names who took how long', async () => {
    await expect(within(never, { milliseconds: 5, who: 'the agent', signal: quiet })).rejects.toMatchObject({
      code: 'TIMEOUT',
      message: 'the agent took longer than 5 ms',
    });
  });

  it('waits however long where the time is longer than a timer can hold', async () => {
    vi.useFakeTimers();
    try {
      const work = within(never, { milliseconds: Number.MAX_SAFE_INTEGER, who: 'it', signal: quiet });
      const settled = vi.fn();
      work.catch(settled);
      await vi.advanceTimersByTimeAsync(1_000_000);
      expect(settled).not.toHaveBeenCalled();
    } finally {
      vi.useRealTimers();
    }
  });

  it('ends with the reason of an abort, before and during the work', async () => {
    const controller = new AbortController();
    const during = within(never, { milliseconds: 60_000, who: 'it', signal: controller.signal });
    controller.abort(new Error('enough'));
    await expect(during).rejects.toThrow('enough');
    await expect(within(never, { milliseconds: 60_000, who: 'it', signal: controller.signal })).rejects.toThrow(
      'enough',
    );
  });

  it('lets work go on for a grace after an abort', async () => {
    const controller = new AbortController();
    controller.abort(new Error('enough'));
    const limit = { milliseconds: 60_000, who: 'it', signal: controller.signal, grace: 1000 };
    expect(await within(() => new Promise((done) => setTimeout(done, 5, 'closed')), limit)).toBe('closed');
    await expect(within(never, { ...limit, grace: 5 })).rejects.toThrow('enough');
  });

  it('leaves no timer and no listener behind', async () => {
    vi.useFakeTimers();
    try {
      const { signal } = new AbortController();
      const removed = vi.spyOn(signal, 'removeEventListener');
      await within(() => 1, { milliseconds: 60_000, who: 'it', signal });
      expect(vi.getTimerCount()).toBe(0);
      expect(removed).toHaveBeenCalledOnce();
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('untilAborted', () => {
  it('knows no time, only the abort', async () => {
    vi.useFakeTimers();
    try {
      const controller = new AbortController();
      const work = untilAborted(never, controller.signal);
      expect(vi.getTimerCount()).toBe(0);
      controller.abort(new Error('enough'));
      await expect(work).rejects.toThrow('enough');
    } finally {
      vi.useRealTimers();
    }
  });
});
