import { CriteriaError } from '@agent-criteria/core';
import { expect, it, onTestFinished, vi } from 'vitest';
import { httpError, signal } from './__fixtures__/calls.ts';
import { openUnusableModels } from './unusable-models.ts';

const failing = (status: number) =>
  vi.fn(async () => {
    throw new CriteriaError({ code: 'CALL_FAILED', message: 'no' }, { cause: httpError(status) });
  });

it.each([404, 401])('a model that has only answered HTTP %i is called once', async (status) => {
  const dead = openUnusableModels();
  const call = failing(status);
  for (let count = 0; count < 3; count++) await expect(dead.run('m', call, signal())).rejects.toThrow('no');
  expect(call).toHaveBeenCalledTimes(1);
  expect(await dead.run('other', async () => 'yes', signal())).toBe('yes');
});

it('a model that has answered before, or fails in another way, is called again', async () => {
  const dead = openUnusableModels();
  await dead.run('m', async () => 'yes', signal());
  const call = failing(404);
  const other = failing(500);
  for (let count = 0; count < 2; count++) {
    await expect(dead.run('m', call, signal())).rejects.toThrow('no');
    await expect(dead.run('other', other, signal())).rejects.toThrow('no');
  }
  expect(call).toHaveBeenCalledTimes(2);
  expect(other).toHaveBeenCalledTimes(2);
});

it('only the first of several concurrent calls to an unusable model is made', async () => {
  const dead = openUnusableModels();
  const call = failing(401);
  const all = Array.from({ length: 15 }, () => dead.run('m', call, signal()));
  expect(await Promise.allSettled(all)).toMatchObject(Array(15).fill({ status: 'rejected' }));
  expect(call).toHaveBeenCalledTimes(1);
});

it('other calls start if the first call takes long or aborts', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const dead = openUnusableModels();
  const slow = dead.run('m', () => new Promise(() => {}), signal());
  const call = vi.fn(async () => 'yes');
  const other = dead.run('m', call, signal());
  const controller = new AbortController();
  const given = dead.run('m', call, controller.signal);
  controller.abort(new Error('enough'));
  await expect(given).rejects.toThrow('enough');
  expect(call).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await other).toBe('yes');
  void slow;
});
