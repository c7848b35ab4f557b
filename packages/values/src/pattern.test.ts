import { expect, test } from 'vitest';
import { compilePattern } from './pattern.ts';

test('a pattern is found in a text, or is the whole of it', () => {
  const order = compilePattern('ORD-[0-9]+');
  expect([order.isIn('see ORD-12.'), order.isWhole('see ORD-12.'), order.isWhole('ORD-12')]).toEqual([
    true,
    false,
    true,
  ]);
  expect(compilePattern('(?i)straße').isIn('Die STRASSE, die Straße')).toBe(true);
});

test('one that a backtracking engine would never finish takes linear time', () => {
  expect(compilePattern('^(a+)+$').isIn(`${'a'.repeat(50_000)}!`)).toBe(false);
});

test.each(['(', 'a(?=b)', '(a)\\1', '[z-a]'])('%s is refused, with what the syntax is', (pattern) => {
  expect(() => compilePattern(pattern)).toThrow("RE2's syntax");
});
