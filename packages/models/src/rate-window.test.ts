import { expect, it } from 'vitest';
import { openRateWindow } from './rate-window.ts';

it('a rate window without limits lets every call start', () => {
  const rates = openRateWindow({});
  rates.start(1000, 0, 5);
  expect(rates.waitFor(1000, 5)).toEqual({ wait: 0, reason: null });
});

it('a call waits for the service, the request limit or the token limit, whichever takes longest', () => {
  const rates = openRateWindow({ requestsPerMinute: 1, tokensPerMinute: 100 });
  rates.start(90, 0, 0);
  expect(rates.waitFor(5, 10_000)).toEqual({ wait: 50_000, reason: 'requests-per-minute' });
  expect(rates.waitFor(5, 60_000)).toEqual({ wait: 0, reason: null });
  rates.holdUntil(70_000);
  rates.holdUntil(65_000);
  expect(rates.waitFor(5, 10_000)).toEqual({ wait: 60_000, reason: 'service' });
});

it('the token limit counts the tokens that an answer reports', () => {
  const rates = openRateWindow({ tokensPerMinute: 100 });
  const call = rates.start(90, 0, 0);
  expect(rates.waitFor(20, 1000)).toEqual({ wait: 59_000, reason: 'tokens-per-minute' });
  call.tokens = 10;
  expect(rates.waitFor(20, 1000)).toEqual({ wait: 0, reason: null });
});

it('an interval between calls keeps an even pace, without reporting a reason', () => {
  const rates = openRateWindow({});
  rates.start(0, 100, 0);
  expect(rates.waitFor(0, 40)).toEqual({ wait: 60, reason: null });
  rates.start(0, 100, 250);
  expect(rates.waitFor(0, 300)).toEqual({ wait: 50, reason: null });
});
