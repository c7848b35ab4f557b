import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { signal } from './__fixtures__/calls.ts';
import { openPlaces } from './places.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** So many places, and the calls that have begun, in order. */
function placesFor(room: number, waits: Readonly<Record<string, number>> = {}) {
  const begun: string[] = [];
  const left = { ...waits };
  const places = openPlaces<string>({
    room: () => room,
    begin(call) {
      const wait = left[call] ?? 0;
      left[call] = 0;
      if (wait === 0) begun.push(call);
      return wait;
    },
  });
  return { places, begun };
}

it('gives places in the order in which calls came', async () => {
  const { places, begun } = placesFor(1);
  const [a, b, c] = ['a', 'b', 'c'].map((call) => places.placeFor(call));
  expect(a?.enter(signal())).toBeUndefined();
  const entered = [b?.enter(signal()), c?.enter(signal())];
  expect(begun).toEqual(['a']);
  a?.leave();
  await entered[0];
  expect(begun).toEqual(['a', 'b']);
  b?.leave();
  b?.leave();
  await entered[1];
  expect(begun).toEqual(['a', 'b', 'c']);
});

it('asks the first in line again after the time that it must wait', async () => {
  const { places, begun } = placesFor(2, { a: 100 });
  const entered = [places.placeFor('a').enter(signal()), places.placeFor('b').enter(signal())];
  await vi.advanceTimersByTimeAsync(100);
  expect(begun).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  await Promise.all(entered);
  expect(begun).toEqual(['a', 'b']);
  expect(vi.getTimerCount()).toBe(0);
});

it('lets the next in at once when the first in line gives up', async () => {
  const { places, begun } = placesFor(1, { a: 100 });
  const controller = new AbortController();
  const first = places.placeFor('a').enter(controller.signal);
  const second = places.placeFor('b').enter(signal());
  controller.abort('enough');
  await expect(first).rejects.toBe('enough');
  await second;
  expect(begun).toEqual(['b']);
  expect(vi.getTimerCount()).toBe(0);
});

it('lends the place of a call to those inside of it, and gives it back before others begin', async () => {
  const { places, begun } = placesFor(1);
  const outer = places.placeFor('outer');
  outer.enter(signal());
  const hold = outer.hold(signal());
  hold.suspend();
  const inner = places.placeFor('inner');
  expect(inner.enter(signal())).toBeUndefined();
  const next = places.placeFor('next').enter(signal());
  const back = hold.resume();
  inner.leave();
  await back;
  expect(begun).toEqual(['outer', 'inner']);
  outer.leave();
  await next;
  expect(begun).toEqual(['outer', 'inner', 'next']);
});

it('comes back without a place when the signal aborts', async () => {
  const { places } = placesFor(1);
  const controller = new AbortController();
  const outer = places.placeFor('outer');
  outer.enter(controller.signal);
  const hold = outer.hold(controller.signal);
  hold.suspend();
  const inner = places.placeFor('inner');
  inner.enter(signal());
  const back = hold.resume();
  controller.abort('enough');
  await back;
  outer.leave();
  inner.leave();
  expect(places.placeFor('next').enter(signal())).toBeUndefined();
});
