import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { answer, ask, modelOf, signal } from './__fixtures__/calls.ts';
import { withTimeout } from './__fixtures__/wrappers.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const never = () => new Promise<never>(() => undefined);

describe('attemptInTime()', () => {
  it('rejects after two minutes even if the attempt ignores its signal', async () => {
    let own: AbortSignal | undefined;
    const model = modelOf((_request, given) => {
      own = given;
      return never();
    });
    const failed = expect(withTimeout(model).generate(ask('hi'), signal())).rejects.toMatchObject({
      code: 'TIMEOUT',
      message: 'test-model did not answer within 120 s',
    });
    await vi.advanceTimersByTimeAsync(119_999);
    expect(own?.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    await failed;
    expect(own?.aborted).toBe(true);
  });

  it('leaves no timer or listener after an attempt that ends in time', async () => {
    const run = signal();
    const added = vi.spyOn(run, 'addEventListener');
    const removed = vi.spyOn(run, 'removeEventListener');
    const model = withTimeout(
      modelOf(async () => answer()),
      50,
    );
    expect(await model.generate(ask('hi'), run)).toEqual(answer());
    expect(vi.getTimerCount()).toBe(0);
    expect(removed).toHaveBeenCalledTimes(added.mock.calls.length);
  });

  it('propagates failures and aborts', async () => {
    const broken = new Error('broken');
    const failing = modelOf(async () => {
      throw broken;
    });
    await expect(withTimeout(failing).generate(ask('hi'), signal())).rejects.toBe(broken);

    const controller = new AbortController();
    const given = withTimeout(modelOf(never)).generate(ask('hi'), controller.signal);
    controller.abort('enough');
    await expect(given).rejects.toBe('enough');
    await expect(withTimeout(modelOf(never)).generate(ask('hi'), controller.signal)).rejects.toBe('enough');
    expect(vi.getTimerCount()).toBe(0);
  });
});
