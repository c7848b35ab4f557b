import { expect, it } from 'vitest';
import { openStartTimes } from './start-times.ts';

it('makes no call wait where nothing is limited', () => {
  const times = openStartTimes({});
  expect(times.begin(1000, 0, 5)).toBeUndefined();
  expect(times.waitFor(1000, 5)).toEqual({ wait: 0, reason: null });
});

it('waits for the longest: the service, the minute of requests or the minute of tokens', () => {
  const times = openStartTimes({ requestsPerMinute: 1, tokensPerMinute: 100 });
  times.begin(90, 0, 0);
  expect(times.waitFor(5, 10_000)).toEqual({ wait: 50_000, reason: 'requests-per-minute' });
  expect(times.waitFor(5, 60_000)).toEqual({ wait: 0, reason: null });
  times.holdUntil(70_000);
  times.holdUntil(65_000);
  expect(times.waitFor(5, 10_000)).toEqual({ wait: 60_000, reason: 'service' });
});

it('counts tokens as they turn out to be', () => {
  const times = openStartTimes({ tokensPerMinute: 100 });
  const begun = times.begin(90, 0, 0);
  expect(times.waitFor(20, 1000)).toEqual({ wait: 59_000, reason: 'tokens-per-minute' });
  if (begun !== undefined) begun.amount = 10;
  expect(times.waitFor(20, 1000)).toEqual({ wait: 0, reason: null });
});

it('keeps an even pace, without a reason to report', () => {
  const times = openStartTimes({});
  times.begin(0, 100, 0);
  expect(times.waitFor(0, 40)).toEqual({ wait: 60, reason: null });
  times.begin(0, 100, 250);
  expect(times.waitFor(0, 300)).toEqual({ wait: 50, reason: null });
});
