import { expect, it } from 'vitest';
import { openSlots } from './slots.ts';

it('lets so many in at once, and the others in their order as room is made', async () => {
  const slots = openSlots(2);
  const inside: number[] = [];
  let most = 0;
  let now = 0;
  const work = async (number: number) => {
    await slots.enter();
    inside.push(number);
    now += 1;
    most = Math.max(most, now);
    await new Promise((done) => setTimeout(done, 5 - number));
    now -= 1;
    slots.leave();
  };
  await Promise.all([0, 1, 2, 3, 4].map(work));
  expect(inside).toEqual([0, 1, 2, 3, 4]);
  expect(most).toBe(2);
});

it('does not wait while there is room', () => {
  const slots = openSlots(1);
  expect(slots.enter()).toBeUndefined();
  slots.leave();
  expect(slots.enter()).toBeUndefined();
  expect(slots.enter()).toBeInstanceOf(Promise);
});
