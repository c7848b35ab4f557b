import { expect, test } from 'vitest';
import { rouge1 } from './rouge.ts';
import { vocabularyOf } from './vocabulary.ts';

test('a vocabulary is bounded in words and in characters', () => {
  const stem = (word: string): string => word;
  const small = vocabularyOf(stem);
  rouge1('a few words', 'and some more', { stem });
  expect(vocabularyOf(stem)).toBe(small);
  expect(small.words.size).toBe(6);

  const many = Array.from({ length: 30_000 }, (_, index) => `word${index}`).join(' ');
  expect(rouge1(many, many, { stem }).fmeasure).toBe(1);
  const second = vocabularyOf(stem);
  expect(second.words.size).toBe(0);

  const long = 'é'.repeat(600_000);
  expect(rouge1(long, long, { stem }).fmeasure).toBe(1);
  expect(vocabularyOf(stem).words.size).toBe(0);
});
