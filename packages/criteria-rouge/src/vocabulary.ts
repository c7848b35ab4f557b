/** Gives the stem of a lower-cased word. Must be pure: what it gives is remembered. */
export type Stem = (word: string) => string;

/**
 * Words by number, such that the words of one stem have one number. Kept between calls, because stemming costs more than
 * all the rest together, and texts repeat their words.
 */
export interface Vocabulary {
  readonly stem: Stem;
  readonly words: Map<string, number>;
  readonly stems: Map<string, number>;
  /** One for each stem and more, for counting; all zero between uses. */
  counts: Int32Array;
  /** How many characters the keys have. */
  characters: number;
  /** Words met lately, by hash: three integers of a packed word, then its number. See `plain-text.ts`. */
  readonly recentWords: Int32Array;
}

/** How many words the cache of a vocabulary holds: a power of two. */
export const recentSize = 1 << 14;

const vocabularies = new WeakMap<Stem, Vocabulary>();

/** The vocabulary of a stemmer. Hand it back with `releaseVocabulary` when its numbers are no longer needed. */
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

/** Forgets a vocabulary that has grown past some megabytes, so that no input can fill the memory. */
export function releaseVocabulary(vocabulary: Vocabulary): void {
  if (vocabulary.words.size > 20_000 || vocabulary.characters > 500_000) vocabularies.delete(vocabulary.stem);
}

/** The number of a lower-cased word. */
export function numberOf(vocabulary: Vocabulary, word: string): number {
  return vocabulary.words.get(word) ?? learn(vocabulary, word);
}

/** As `rouge_score` does, words of up to three letters stay as they are. */
export function stemOf(word: string, stem: Stem): string {
  return word.length > 3 ? stem(word) : word;
}

/** A slice would keep the whole text alive that it was cut from; engines copy short ones anyway. */
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
