import { expect, it } from 'vitest';
import { toMilliseconds } from './duration.ts';

it.each([
  ['300s', 300_000],
  ['5m', 300_000],
  ['1.5h', 5_400_000],
  ['500ms', 500],
  ['0.5s', 500],
  ['0.0001s', 1],
  ['0s', 0],
  [300, 300],
])('toMilliseconds() converts %j to %i ms', (duration, milliseconds) => {
  expect(toMilliseconds(duration)).toBe(milliseconds);
});

it.each(['', 'soon', '5', '5 m', '5M', '-5s', '1e3s', '5d', '.5s', '5m30s'])(
  'toMilliseconds() returns NaN for %j',
  (text) => {
    expect(toMilliseconds(text)).toBeNaN();
  },
);
