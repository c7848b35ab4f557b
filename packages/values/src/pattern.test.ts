import { expect, test } from 'vitest';
import { compilePattern } from './pattern.ts';

test('a pattern can be searched for in a string, or matched against the whole string', () => {
  const order = compilePattern('ORD-[0-9]+');
  expect([order.isIn('see ORD-12.'), order.isWhole('see ORD-12.'), order.isWhole('ORD-12')]).toEqual([
    true,
    false,
    true,
  ]);
  expect(compilePattern('(?i)straße').isIn('Die STRASSE, die Straße')).toBe(true);
});

test('a pattern on which a backtracking engine would never finish takes linear time', () => {
  expect(compilePattern('^(a+)+$').isIn(`${'a'.repeat(50_000)}!`)).toBe(false);
});

test.each(['(', 'a(?=b)', '(a)\\1', '[z-a]'])(
  'the pattern %s is rejected, with an explanation of the syntax',
  (pattern) => {
    expect(() => compilePattern(pattern)).toThrow("RE2's syntax");
  },
);
