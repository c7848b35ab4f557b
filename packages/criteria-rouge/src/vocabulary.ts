/** Returns the stem of a lower-cased word. Must be pure: results are cached. */
export type Stem = (word: string) => string;

/**
 * Assigns numbers to words, so that words with the same stem have the same number. Kept between calls, because stemming
 * takes most of the time and texts repeat their words.
 */
export interface Vocabulary {
  readonly stem: Stem;
  readonly words: Map<string, number>;
  readonly stems: Map<string, number>;
  /** One counter per stem, or more; all zero between uses. */
  counts: Int32Array;
  /** The total length of the keys. */
  characters: number;
  /** Recent words by hash: the three integers of a packed word, followed by its number. See `plain-text.ts`. */
  readonly recentWords: Int32Array;
}

/** The number of words in a vocabulary's cache: a power of two. */
export const recentSize = 1 << 14;

const vocabularies = new WeakMap<Stem, Vocabulary>();

/** Returns a stemmer's vocabulary. Call `releaseVocabulary` when its numbers are no longer needed. */
export function vocabularyOf(stem: Stem): Vocabulary {
  let vocabulary = vocabularies.get(stem);
  if (vocabulary === undefined) {
    vocabulary = {
      stem,
      words: new Map(),
      stems: new Map(),
      counts: new Int32Array(1024),
      characters: 0,
      recentWords: new Int32Array(4 * recentSize),
    };
    vocabularies.set(stem, vocabulary);
  }
  return vocabulary;
}

/** Drops a vocabulary that has grown beyond a few megabytes, so that no input can exhaust memory. */
export function releaseVocabulary(vocabulary: Vocabulary): void {
  if (vocabulary.words.size > 20_000 || vocabulary.characters > 500_000) vocabularies.delete(vocabulary.stem);
}

/** Returns the number of a lower-cased word. */
export function numberOf(vocabulary: Vocabulary, word: string): number {
  return vocabulary.words.get(word) ?? learn(vocabulary, word);
}

/** Returns the stem of a word. Words of up to three letters stay unchanged, as in `rouge_score`. */
export function stemOf(word: string, stem: Stem): string {
  return word.length > 3 ? stem(word) : word;
}

/** Copies a slice, which would otherwise keep the whole text in memory; engines copy short ones anyway. */
function copyOf(slice: string): string {
  return slice.length < 13 ? slice : slice.split('').join('');
}

function learn(vocabulary: Vocabulary, word: string): number {
  const { stems, words } = vocabulary;
  const stem = stemOf(word, vocabulary.stem);
  let number = stems.get(stem);
  if (number === undefined) {
    number = stems.size;
    stems.set(copyOf(stem), number);
    if (stems.size > vocabulary.counts.length) vocabulary.counts = new Int32Array(2 * vocabulary.counts.length);
  }
  words.set(copyOf(word), number);
  vocabulary.characters += word.length + stem.length;
  return number;
}
