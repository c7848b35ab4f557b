import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { inTime, LONGEST_TIMER, noAnswerWithin, openTimeLimit, timeInWords } from './time-limit.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A signal that counts its listeners. */
function watched() {
  const controller = new AbortController();
  let listeners = 0;
  const { signal } = controller;
  const add = signal.addEventListener.bind(signal);
  const remove = signal.removeEventListener.bind(signal);
  vi.spyOn(signal, 'addEventListener').mockImplementation((...given: Parameters<typeof add>) => {
    listeners += 1;
    add(...given);
  });
  vi.spyOn(signal, 'removeEventListener').mockImplementation((...given: Parameters<typeof remove>) => {
    listeners -= 1;
    remove(...given);
  });
  return { controller, signal, listeners: () => listeners };
}

const never = () => new Promise<never>(() => undefined);

describe('openTimeLimit()', () => {
  it('aborts when the time is up, and not earlier', () => {
    const limit = openTimeLimit({ milliseconds: 100, tooLate: () => 'late' });
    vi.advanceTimersByTime(99);
    expect([limit.signal.aborted, limit.isOver()]).toEqual([false, false]);
    vi.advanceTimersByTime(1);
    expect([limit.signal.reason, limit.isOver()]).toEqual(['late', true]);
  });

  it('aborts with the outer signal, and leaves no timer', () => {
    const { controller, signal } = watched();
    const limit = openTimeLimit({ signal, milliseconds: 100 });
    controller.abort('enough');
    expect([limit.signal.reason, limit.isOver()]).toEqual(['enough', false]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is aborted from the start if the outer signal is', () => {
    const limit = openTimeLimit({ signal: AbortSignal.abort('enough'), milliseconds: 100 });
    expect(limit.signal.reason).toBe('enough');
    limit.resume();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('removes its timer and listener when it ends, and does not abort afterwards', () => {
    const { controller, signal, listeners } = watched();
    const limit = openTimeLimit({ signal, milliseconds: 100 });
    expect([listeners(), vi.getTimerCount()]).toEqual([1, 1]);
    limit.end();
    limit.resume();
    expect([listeners(), vi.getTimerCount()]).toEqual([0, 0]);
    controller.abort('enough');
    expect(limit.signal.aborted).toBe(false);
  });

  it('sets no timer without a time limit', () => {
    const { controller, signal } = watched();
    const limit = openTimeLimit({ signal });
    limit.suspend();
    limit.resume();
    expect(vi.getTimerCount()).toBe(0);
    controller.abort('enough');
    expect(limit.signal.reason).toBe('enough');
  });

  it('does not count time while it is suspended', () => {
    const limit = openTimeLimit({ milliseconds: 100 });
    vi.advanceTimersByTime(60);
    limit.suspend();
    limit.suspend();
    vi.advanceTimersByTime(1000);
    limit.resume();
    limit.resume();
    vi.advanceTimersByTime(39);
    expect(limit.signal.aborted).toBe(false);
    vi.advanceTimersByTime(1);
    expect(limit.signal.reason).toMatchObject({ code: 'TIMEOUT', message: 'it took longer than 100 ms' });
  });

  it.each([LONGEST_TIMER + 1, Number.POSITIVE_INFINITY])('treats %d ms as LONGEST_TIMER', (milliseconds) => {
    const limit = openTimeLimit({ milliseconds });
    vi.advanceTimersByTime(LONGEST_TIMER - 1);
    expect(limit.signal.aborted).toBe(false);
    limit.end();
  });
});

describe('inTime()', () => {
  it('resolves with the result of the work, and leaves no timer or listener', async () => {
    const { signal, listeners } = watched();
    expect(await inTime(async () => 'done', { signal, milliseconds: 100 })).toBe('done');
    await expect(inTime(() => Promise.reject('broken'), { signal, milliseconds: 100 })).rejects.toBe('broken');
    const thrown = () => {
      throw new Error('at once');
    };
    await expect(inTime(thrown, { signal, milliseconds: 100 })).rejects.toThrow('at once');
    expect([listeners(), vi.getTimerCount()]).toEqual([0, 0]);
  });

  it("rejects in time and aborts the work's signal, even if the work ignores it", async () => {
    let own: AbortSignal | undefined;
    const ended = inTime(
      (signal) => {
        own = signal;
        return never();
      },
      { milliseconds: 100, tooLate: () => noAnswerWithin(100, 'judge') },
    );
    const failed = expect(ended).rejects.toMatchObject({
      code: 'TIMEOUT',
      message: 'judge did not answer within 100 ms',
    });
    await vi.advanceTimersByTimeAsync(100);
    await failed;
    expect(own?.aborted).toBe(true);
  });

  it('rejects when the signal aborts, and does not start the work if it has already aborted', async () => {
    const { controller, signal, listeners } = watched();
    const ended = inTime(never, { signal, milliseconds: 100 });
    controller.abort('enough');
    await expect(ended).rejects.toBe('enough');
    const work = vi.fn();
    await expect(inTime(work, { signal })).rejects.toBe('enough');
    expect(work).not.toHaveBeenCalled();
    expect(vi.getTimerCount()).toBe(0);
    // The counter does not notice that a `once` listener removes itself.
    expect(listeners()).toBeLessThanOrEqual(1);
  });

  it('causes no unhandled rejection when aborted work fails later', async () => {
    let fail = (_error: Error): void => undefined;
    const work = () =>
      new Promise<never>((_resolve, reject) => {
        fail = reject;
      });
    const ended = expect(inTime(work, { milliseconds: 100 })).rejects.toMatchObject({ code: 'TIMEOUT' });
    await vi.advanceTimersByTimeAsync(100);
    await ended;
    // An unhandled rejection would fail this file.
    fail(new Error('too late'));
  });
});

it.each([
  [50, '50 ms'],
  [1000, '1 s'],
  [1500, '1.5 s'],
])('timeInWords() formats %d milliseconds as %s', (milliseconds, words) => {
  expect(timeInWords(milliseconds)).toBe(words);
});
