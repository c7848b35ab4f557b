/**
 * How a text is cut into words.
 *
 * - `unicode`: ADK's tokenizer since 2.6. Normalises (NFKC) and lower-cases; letters, digits and marks of any script make
 *   words; a Chinese, Japanese or Korean character is a word of its own; Thai, Lao, Khmer and Myanmar begin a word at
 *   every base character.
 * - `ascii`: that of the `rouge_score` package, and of ADK before 2.6: lower-cases; only a-z and 0-9 make words.
 */
export type Tokenizer = 'unicode' | 'ascii';

/** The words of a text, lower-cased, in order. Any string will do, lone surrogates too. */
export function splitWords(text: string, tokenizer: Tokenizer): string[] {
  if (tokenizer === 'ascii') return text.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  return text.normalize('NFKC').toLowerCase().match(unicodeWord) ?? [];
}

/** The words of a text as it spells them. @param words Those of `splitWords(text, 'unicode')`. As many, in that order. */
export function spelledWords(text: string, words: readonly string[]): readonly string[] {
  const spelled = text.normalize('NFKC').match(unicodeWord) ?? [];
  // Lower-casing letter by letter moves no word boundary that we know of; if it did, this keeps the order right.
  return spelled.length === words.length ? spelled : words;
}

// Han, kana and Hangul, whatever the character is; then Thai, Lao, Khmer and Myanmar.
const single = '\\u4E00-\\u9FFF\\u3040-\\u30FF\\uAC00-\\uD7AF';
const starting = '[\\u0E00-\\u0EFF\\u1780-\\u17FF\\u1000-\\u109F]--\\p{M}';
const continuing = `[\\p{L}\\p{N}\\p{M}]--[${single}[${starting}]]`;
// Made by the constructor: TypeScript takes the flag only in literals of a target newer than ours.
const unicodeWord = new RegExp(`[${single}]|[${starting}][${continuing}]*|[${continuing}]+`, 'gv');
