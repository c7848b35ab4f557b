import { expect, it } from 'vitest';
import { stateDelta } from './state.ts';

it('stateDelta() returns added and changed keys and rejects removed keys', () => {
  const before = { same: { a: [1] }, other: 1 };
  expect(stateDelta(before, { same: { a: [1] }, other: 2, more: null })).toEqual({ other: 2, more: null });
  expect(stateDelta(before, before)).toEqual({});
  expect(() => stateDelta(before, { other: 1 })).toThrow('put back: same.');
});
