import { expect, it } from 'vitest';
import { formatTime } from './format-time.ts';

it('formatTime() uses short units', () => {
  expect([0, 840, 999.6, 1340, 59_940, 59_960, 125_000, 3_780_000, -5].map(formatTime)).toEqual([
    ...['0 ms', '840 ms', '1000 ms', '1.3 s', '59.9 s', '1 min 0 s', '2 min 5 s', '1 h 3 min', '0 ms'],
  ]);
});
