import { longestCommonSubsequence } from './longest-common-subsequence.ts';
import { numbersOfPlainText } from './plain-text.ts';
import { type RougeOptions, stemFrom } from './tokenize.ts';
import { numberOf, releaseVocabulary, type Vocabulary, vocabularyOf } from './vocabulary.ts';
import { splitWords } from './words.ts';

export { stem } from './porter-stemmer.ts';
export { type RougeOptions, tokenize } from './tokenize.ts';
export type { Stem } from './vocabulary.ts';
export { type WordDifference, wordDifference } from './word-difference.ts';
export type { Tokenizer } from './words.ts';

/** A ROUGE score: each number from 0 to 1, and 0 if one side has no words. */
export interface RougeScore {
  /** The share of the candidate's words that occur in the reference. */
  readonly precision: number;
  /** The share of the reference's words that occur in the candidate. */
  readonly recall: number;
  /** The harmonic mean of precision and recall. */
  readonly fmeasure: number;
}

/**
 * ROUGE-1: the words that two texts share, each counted as often as it occurs in both.
 *
 * ```ts
 * rouge1('The cat sat on the mat', 'A cat is sitting on the mat').fmeasure; // 0.6153846153846153
 * ```
 *
 * Equals `rouge_score` 0.1.2 with ADK's tokenizer to the last bit. Linear in the length of the texts; never throws.
 */
export function rouge1(candidate: string, reference: string, options: RougeOptions = {}): RougeScore {
  return compare(candidate, reference, options, (first, second, _size, counts) =>
    score(countShared(first, second, counts), first.length, second.length),
  );
}

/** ROUGE-2: like `rouge1`, for pairs of neighbouring words. A text with only one word has no pairs. */
export function rouge2(candidate: string, reference: string, options: RougeOptions = {}): RougeScore {
  return compare(candidate, reference, options, (first, second, size) => {
    const known = new Map<number, number>();
    const firstPairs = pairs(first, size, known);
    const secondPairs = pairs(second, size, known);
    const shared = countShared(firstPairs, secondPairs, new Int32Array(known.size));
    return score(shared, firstPairs.length, secondPairs.length);
  });
}

/**
 * ROUGE-L: the longest sequence of words that both texts have in the same order, with gaps allowed. At worst quadratic:
 * about the product of the two word counts, divided by 32.
 */
export function rougeL(candidate: string, reference: string, options: RougeOptions = {}): RougeScore {
  return compare(candidate, reference, options, (first, second, size) =>
    score(longestCommonSubsequence(first, second, size), first.length, second.length),
  );
}

type Measure = (first: readonly number[], second: readonly number[], size: number, counts: Int32Array) => RougeScore;

/** Compares two texts as lists of numbers below `size`, one for each stem. */
function compare(candidate: string, reference: string, options: RougeOptions, measure: Measure): RougeScore {
  const vocabulary = vocabularyOf(stemFrom(options));
  const first = numbersOf(candidate, vocabulary, options);
  const second = numbersOf(reference, vocabulary, options);
  const result = measure(first, second, vocabulary.stems.size, vocabulary.counts);
  releaseVocabulary(vocabulary);
  return result;
}

function numbersOf(text: string, vocabulary: Vocabulary, options: RougeOptions): number[] {
  return (
    numbersOfPlainText(vocabulary, text) ??
    splitWords(text, options.tokenizer ?? 'unicode').map((word) => numberOf(vocabulary, word))
  );
}

/** Counts the elements that two lists share. `counts` must be all zero, and is all zero again afterwards. */
function countShared(first: readonly number[], second: readonly number[], counts: Int32Array): number {
  let shared = 0;
  for (const number of first) counts[number] = (counts[number] as number) + 1;
  for (const number of second) {
    const left = counts[number] as number;
    if (left > 0) {
      shared += 1;
      counts[number] = left - 1;
    }
  }
  for (const number of first) counts[number] = 0;
  return shared;
}

/** Assigns numbers to pairs of neighbours. */
function pairs(numbers: readonly number[], size: number, known: Map<number, number>): number[] {
  const result: number[] = [];
  for (let index = 1; index < numbers.length; index += 1) {
    const pair = (numbers[index - 1] as number) * size + (numbers[index] as number);
    let number = known.get(pair);
    if (number === undefined) {
      number = known.size;
      known.set(pair, number);
    }
    result.push(number);
  }
  return result;
}

// In the same order as Python's computation, because any simplification changes the last bits.
function score(shared: number, candidate: number, reference: number): RougeScore {
  const precision = shared / Math.max(candidate, 1);
  const recall = shared / Math.max(reference, 1);
  const sum = precision + recall;
  return { precision, recall, fmeasure: sum > 0 ? (2 * precision * recall) / sum : 0 };
}
