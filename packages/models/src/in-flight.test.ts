import { expect, it } from 'vitest';
import { signal } from './__fixtures__/calls.ts';
import { openInFlight } from './in-flight.ts';

it('openInFlight() counts each call from its start to its end', () => {
  const inFlight = openInFlight();
  const [one, other] = [inFlight.start(), inFlight.start()];
  one.resume();
  one.suspend();
  one.suspend();
  expect(inFlight.isEmpty()).toBe(false);
  other.suspend();
  expect(inFlight.isEmpty()).toBe(true);
  other.resume();
  expect(inFlight.isEmpty()).toBe(false);
});

it('openInFlight() wakes all waiting callers when a call ends, except aborted ones', async () => {
  const inFlight = openInFlight();
  const controller = new AbortController();
  const call = inFlight.start();
  const waiting = [inFlight.untilOneEnds(signal()), inFlight.untilOneEnds(signal())];
  const given = inFlight.untilOneEnds(controller.signal);
  controller.abort('enough');
  await expect(given).rejects.toBe('enough');
  call.suspend();
  await Promise.all(waiting);
});
