import { CriteriaError } from '@agent-criteria/core';
import { expect, it, vi } from 'vitest';
import { httpError, signal } from './__fixtures__/calls.ts';
import { openDeadModels } from './dead-models.ts';

const failing = (status: number) =>
  vi.fn(async () => {
    throw new CriteriaError({ code: 'CALL_FAILED', message: 'no' }, { cause: httpError(status) });
  });

it.each([404, 401])('asks a model once that has never answered anything but %i', async (status) => {
  const dead = openDeadModels();
  const call = failing(status);
  for (let count = 0; count < 3; count++) await expect(dead.run('m', call, signal())).rejects.toThrow('no');
  expect(call).toHaveBeenCalledTimes(1);
  expect(await dead.run('other', async () => 'yes', signal())).toBe('yes');
});

it('goes on asking a model that has answered, or that fails in another way', async () => {
  const dead = openDeadModels();
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
