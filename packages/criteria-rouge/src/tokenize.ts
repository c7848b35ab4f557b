import { stem } from './porter-stemmer.ts';
import { type Stem, stemOf } from './vocabulary.ts';
import { splitWords, type Tokenizer } from './words.ts';

/** Options for splitting texts into words. The defaults are ADK's. */
export interface RougeOptions {
  /** Default `'unicode'`. */
  readonly tokenizer?: Tokenizer | undefined;
  /**
   * Returns the stem of a lower-cased word of more than three letters, or `false` to compare words unchanged. Default:
   * `stem` for words of a-z and 0-9; other words are unchanged. Pass the same function every time, because stems are
   * cached by function.
   */
  readonly stem?: Stem | false | undefined;
}

/** Returns the words of a text in the form in which they are compared: in order, lower-cased and stemmed. */
export function tokenize(text: string, options: RougeOptions = {}): string[] {
  const stem = stemFrom(options);
  return splitWords(text, options.tokenizer ?? 'unicode').map((word) => stemOf(word, stem));
}

/** Returns the stemmer that the options name. */
export function stemFrom(options: RougeOptions): Stem {
  if (options.stem === undefined) return stemAsciiWord;
  return options.stem === false ? unchanged : options.stem;
}

function stemAsciiWord(word: string): string {
  return /^[a-z0-9]+$/.test(word) ? stem(word) : word;
}

function unchanged(word: string): string {
  return word;
}
