import { expect, it } from 'vitest';
import { counted } from './counted.ts';

it('uses the plural for every number except 1', () => {
  expect([0, 1, 2].map((number) => counted(number, 'case'))).toEqual(['0 cases', '1 case', '2 cases']);
  expect(counted(2, 'criterion', 'criteria')).toBe('2 criteria');
});
