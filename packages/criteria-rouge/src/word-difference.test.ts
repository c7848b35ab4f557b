import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { rouge1, tokenize } from './rouge.ts';
import { wordDifference } from './word-difference.ts';

test('wordDifference() lists words in their original spelling and order', () => {
  expect(wordDifference('Paris is cheap.', 'Paris was not Expensive')).toEqual({
    missing: ['was', 'not', 'Expensive'],
    extra: ['is', 'cheap'],
    referenceWords: 4,
  });
  expect(wordDifference('Été Ａthens', 'été ΟΔΟΣ')).toMatchObject({ missing: ['ΟΔΟΣ'], extra: ['Athens'] });
});

test('wordDifference() matches words by stem, one for one', () => {
  expect(wordDifference('running', 'runs')).toEqual({ missing: [], extra: [], referenceWords: 1 });
  expect(wordDifference('running', 'runs', { stem: false })).toMatchObject({ missing: ['runs'], extra: ['running'] });
  expect(wordDifference('no', 'no no no')).toEqual({ missing: ['no', 'no'], extra: [], referenceWords: 3 });
});

test('wordDifference() agrees with rouge1', () => {
  const text = fc
    .array(fc.constantFrom('cat', 'Cats', 'été', 'ÉTÉ', '北', 'İstanbul', 'ΑΣ.Α', '!'))
    .map((all) => all.join(' '));
  fc.assert(
    fc.property(text, text, (candidate, reference) => {
      const { missing, extra, referenceWords } = wordDifference(candidate, reference);
      const { precision, recall } = rouge1(candidate, reference);
      const [given, wanted] = [tokenize(candidate).length, tokenize(reference).length];
      expect(referenceWords).toBe(wanted);
      expect(precision).toBe((given - extra.length) / Math.max(given, 1));
      expect(recall).toBe((wanted - missing.length) / Math.max(wanted, 1));
    }),
  );
});
