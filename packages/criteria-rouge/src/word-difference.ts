import { type RougeOptions, stemFrom } from './tokenize.ts';
import { type Stem, stemOf } from './vocabulary.ts';
import { spelledWords, splitWords } from './words.ts';

/** The words that only one of two texts has, in its original spelling and order. */
export interface WordDifference {
  /** Words of the reference that the candidate lacks. */
  readonly missing: readonly string[];
  /** Words of the candidate that the reference lacks. */
  readonly extra: readonly string[];
  /** The number of words in the reference. */
  readonly referenceWords: number;
}

/**
 * Compares word by word, by stem: a word that occurs twice in the reference and once in the candidate is missing once.
 */
export function wordDifference(
  candidate: string,
  reference: string,
  options: Pick<RougeOptions, 'stem'> = {},
): WordDifference {
  const [given, wanted] = [wordsOf(candidate, options), wordsOf(reference, options)];
  return {
    missing: surplus(wanted, given.stems),
    extra: surplus(given, wanted.stems),
    referenceWords: wanted.words.length,
  };
}

/** The words of a text, split only once, because splitting takes the most time. */
interface Words {
  readonly text: string;
  /** Lower-cased. */
  readonly words: readonly string[];
  readonly stems: readonly string[];
}

function wordsOf(text: string, options: Pick<RougeOptions, 'stem'>): Words {
  const stem: Stem = stemFrom(options);
  const words = splitWords(text, 'unicode');
  return { text, words, stems: words.map((word) => stemOf(word, stem)) };
}

/** Returns the words whose stems are not among `others`; each stem of `others` matches one word. */
function surplus({ text, words, stems }: Words, others: readonly string[]): string[] {
  const left = new Map<string, number>();
  for (const stem of others) left.set(stem, (left.get(stem) ?? 0) + 1);
  const places: number[] = [];
  for (const [index, stem] of stems.entries()) {
    const count = left.get(stem) ?? 0;
    if (count === 0) places.push(index);
    else left.set(stem, count - 1);
  }
  if (places.length === 0) return [];
  const spelled = spelledWords(text, words);
  return places.map((index) => spelled[index] as string);
}
