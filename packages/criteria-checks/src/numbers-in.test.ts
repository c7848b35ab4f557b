import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../../../test/runs.ts';
import { numbersIn } from './numbers-in.ts';

test.each([
  ['The total is 1,234.50 €.', [1234.5]],
  ['-3 °C, then −4°C, then +5', [-3, -4, 5]],
  ['2e6 and 1.5E-3', [2_000_000, 0.0015]],
  ['10-12 people', [10, 12]],
  ['on 2026-05-01', [2026, 5, 1]],
  ['1,2 and 3', [1, 2, 3]],
  ['1\u00a0234\u202f567', [1_234_567]],
  ["1'234", [1234]],
  ['room B12, CO2, v2', []],
  ['version 1.2.3', [1.2]],
  ['no number', []],
  ['1e999', []],
])('%s', (text, numbers) => {
  expect(numbersIn(text)).toEqual(numbers);
});

test('numbersIn() reads a comma as the decimal separator if asked to', () => {
  expect(numbersIn('Das macht 1.234,50 €, nicht 1,5.', ',')).toEqual([1234.5, 1.5]);
});

test('numbersIn() finds a number anywhere in a text', () => {
  const number = fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e15, max: 1e15 }));
  fc.assert(
    fc.property(number, fc.constantFrom('', 'It is ', '(', '= '), (value, before) => {
      expect(numbersIn(`${before}${value} in all`)).toEqual([value + 0]);
    }),
    { numRuns: runs(2000) },
  );
});

test('numbersIn() is fast and never throws for any text', () => {
  for (const text of ['1,111'.repeat(20_000), '1'.repeat(100_000), `${'1,111,'.repeat(20_000)}x`, '-'.repeat(100_000)])
    expect(numbersIn(text).length).toBeLessThan(30_000);
});
