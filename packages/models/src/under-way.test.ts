import { expect, it } from 'vitest';
import { signal } from './__fixtures__/calls.ts';
import { openUnderWay } from './under-way.ts';

it('counts what has begun and not ended, each once', () => {
  const underWay = openUnderWay();
  const [one, other] = [underWay.begin(), underWay.begin()];
  one.resume();
  one.suspend();
  one.suspend();
  expect(underWay.isEmpty()).toBe(false);
  other.suspend();
  expect(underWay.isEmpty()).toBe(true);
  other.resume();
  expect(underWay.isEmpty()).toBe(false);
});

it('wakes everyone who waits when one ends, but for those who gave up', async () => {
  const underWay = openUnderWay();
  const controller = new AbortController();
  const call = underWay.begin();
  const waiting = [underWay.untilOneEnds(signal()), underWay.untilOneEnds(signal())];
  const given = underWay.untilOneEnds(controller.signal);
  controller.abort('enough');
  await expect(given).rejects.toBe('enough');
  call.suspend();
  await Promise.all(waiting);
});
