import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../../../test/runs.ts';
import { numbersOfPlainText } from './plain-text.ts';
import { numberOf, recentSize, type Vocabulary, vocabularyOf } from './vocabulary.ts';
import { splitWords } from './words.ts';

function ofWords(vocabulary: Vocabulary, text: string): number[] {
  return splitWords(text, 'unicode').map((word) => numberOf(vocabulary, word));
}

const vocabulary = vocabularyOf((word) => word);

test('plain text gives the same numbers as the general tokenizer', () => {
  const letters = fc.constantFrom(...'aAbBzZ019 _@[`{/:\'"\n\t-–—‘’“”•…\u0000\u007f');
  fc.assert(
    fc.property(fc.string({ unit: letters, maxLength: 60 }), (text) => {
      expect(numbersOfPlainText(vocabulary, text)).toEqual(ofWords(vocabulary, text));
    }),
    { numRuns: runs(1000) },
  );
});

test('plain text gives the same numbers for long words and more words than the cache holds', () => {
  const words = Array.from({ length: 3 * recentSize }, (_, index) => `w${index} W${index}${'x'.repeat(index % 50)}`);
  const text = [...words, ...words].join(' ');
  const expected = ofWords(vocabulary, text);
  // Compared one by one, because a diff of such long lists takes minutes.
  const differing = numbersOfPlainText(vocabulary, text)?.findIndex((number, index) => number !== expected[index]);
  expect(differing).toBe(-1);
});

test('text with any other character falls back to the general tokenizer', () => {
  for (let code = 0x80; code <= 0xffff; code += 1) {
    const character = String.fromCharCode(code);
    if ('–—‘’“”•…'.includes(character)) continue;
    expect(numbersOfPlainText(vocabulary, `a${character}b`)).toBeNull();
  }
});

test('dashes and quotation marks separate words in both tokenizers', () => {
  for (const character of '–—‘’“”•…') expect(splitWords(`a${character}b`, 'unicode')).toEqual(['a', 'b']);
});
