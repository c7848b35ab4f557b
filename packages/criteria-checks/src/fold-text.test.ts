import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../../../test/runs.ts';
import { foldText } from './fold-text.ts';

test.each([
  ['é as one code point or two', 'caf\u00e9', 'cafe\u0301'],
  ['ß and SS', 'Straße', 'STRASSE'],
  ['a capital ß', 'STRAẞE', 'strasse'],
  ['all three forms of sigma', 'ΟΔΟΣ', 'οδος'],
  ['sigma in the middle of a word', 'οδοσ', 'ΟΔΟΣ'],
  ['the Kelvin sign', '21 \u212a', '21 k'],
  ['Cyrillic', 'МОСКВА', 'москва'],
])('foldText() treats %s as equal, ignoring case', (_what, left, right) => {
  expect(foldText(left, true)).toBe(foldText(right, true));
});

test('foldText() preserves case unless ignoreCase is set, and always normalises composition', () => {
  expect(foldText('Refund', false)).not.toBe(foldText('refund', false));
  expect(foldText('cafe\u0301', false)).toBe('caf\u00e9');
  // Compatibility forms stay apart: a superscript is not the digit.
  expect(foldText('m²', true)).not.toBe(foldText('m2', true));
});

test('foldText() is idempotent and ignores the case of its input', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const folded = foldText(text, true);
      expect(foldText(folded, true)).toBe(folded);
      expect(foldText(text.toLowerCase(), true)).toBe(folded);
    }),
    { numRuns: runs(2000) },
  );
});
