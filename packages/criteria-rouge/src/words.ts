/**
 * A way to split a text into words.
 *
 * - `unicode`: ADK's tokenizer since 2.6. Normalises (NFKC) and lower-cases; letters, digits and marks of any script
 *   make words; a Chinese, Japanese or Korean character is a word of its own; in Thai, Lao, Khmer and Myanmar, a word
 *   begins at every base character.
 * - `ascii`: the tokenizer of the `rouge_score` package, and of ADK before 2.6. Lower-cases; only a-z and 0-9 make
 *   words.
 */
export type Tokenizer = 'unicode' | 'ascii';

/** Splits a text into lower-cased words, in order. Accepts any string, even with lone surrogates. */
export function splitWords(text: string, tokenizer: Tokenizer): string[] {
  if (tokenizer === 'ascii') return text.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  return text.normalize('NFKC').toLowerCase().match(unicodeWord) ?? [];
}

/**
 * Returns the words of a text in their original spelling.
 * @param words The result of `splitWords(text, 'unicode')`: the same number of words, in the same order.
 */
export function spelledWords(text: string, words: readonly string[]): readonly string[] {
  const spelled = text.normalize('NFKC').match(unicodeWord) ?? [];
  // Lower-casing moves no known word boundary; if it did, the lower-cased words would still be in the right order.
  return spelled.length === words.length ? spelled : words;
}

// Han, kana and Hangul, including unassigned characters; then Thai, Lao, Khmer and Myanmar.
const single = '\\u4E00-\\u9FFF\\u3040-\\u30FF\\uAC00-\\uD7AF';
const starting = '[\\u0E00-\\u0EFF\\u1780-\\u17FF\\u1000-\\u109F]--\\p{M}';
const continuing = `[\\p{L}\\p{N}\\p{M}]--[${single}[${starting}]]`;
// Not a regex literal, because TypeScript accepts the flag only for newer targets.
const unicodeWord = new RegExp(`[${single}]|[${starting}][${continuing}]*|[${continuing}]+`, 'gv');
