import { expect, test } from 'vitest';
import { evaluationRetries } from './evaluate-instances.ts';

test('evaluationRetries makes five attempts, after 1, 2, 4 and 8 seconds plus a random part of a second', () => {
  const { maxRetries, delay, statuses } = evaluationRetries;
  expect(statuses).toEqual([408, 409, 429, 499, 500, 502, 503, 504]);
  expect(maxRetries).toBe(4);
  for (const [failed, seconds] of [
    [1, 1],
    [2, 2],
    [3, 4],
    [4, 8],
  ] as const) {
    const waits = Array.from({ length: 50 }, () => delay(failed));
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(seconds * 1000);
    expect(Math.max(...waits)).toBeLessThan((seconds + 1) * 1000);
    expect(new Set(waits).size).toBeGreaterThan(1);
  }
});
