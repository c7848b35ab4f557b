import { expect, it } from 'vitest';
import { stateDelta } from './state.ts';

it('has the keys that were added or changed, and refuses to lose one', () => {
  const before = { same: { a: [1] }, other: 1 };
  expect(stateDelta(before, { same: { a: [1] }, other: 2, more: null })).toEqual({ other: 2, more: null });
  expect(stateDelta(before, before)).toEqual({});
  expect(() => stateDelta(before, { other: 1 })).toThrow('put back: same.');
});
