import { expect, it } from 'vitest';
import { createSemaphore } from './semaphore.ts';

it('a semaphore grants free permits immediately, and later ones in order', async () => {
  const semaphore = createSemaphore(2);
  const inside: number[] = [];
  let most = 0;
  let now = 0;
  const work = async (number: number) => {
    await semaphore.acquire();
    inside.push(number);
    now += 1;
    most = Math.max(most, now);
    await new Promise((done) => setTimeout(done, 5 - number));
    now -= 1;
    semaphore.release();
  };
  await Promise.all([0, 1, 2, 3, 4].map(work));
  expect(inside).toEqual([0, 1, 2, 3, 4]);
  expect(most).toBe(2);
});

it('a semaphore does not make callers wait while a permit is free', () => {
  const semaphore = createSemaphore(1);
  expect(semaphore.acquire()).toBeUndefined();
  semaphore.release();
  expect(semaphore.acquire()).toBeUndefined();
  expect(semaphore.acquire()).toBeInstanceOf(Promise);
});
