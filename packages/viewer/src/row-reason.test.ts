import { expect, it } from 'vitest';
import { rowReason } from './row-reason.ts';

it.each([
  ['tool_v1: 0.5 is below the threshold 1: Call 1 has no args', 'Call 1 has no args'],
  ['tokens_v1: 1e+21 is above the threshold 10', undefined],
  ['tool_v1: 1 of 2 turns could not be judged', 'tool_v1: 1 of 2 turns could not be judged'],
  ['Division by zero', 'Division by zero'],
  [undefined, undefined],
])('rowReason() shortens %j to %j', (reason, shown) => {
  expect(rowReason(reason)).toBe(shown);
});
