import { copyOf, numberOf, recentSize, type Vocabulary } from './vocabulary.ts';

/**
 * The numbers of the words of a text of ASCII and the dashes and quotation marks of ordinary prose, without a regular
 * expression, and mostly without a string. The same as by way of `splitWords`, with either tokenizer. `null` for any
 * other text: U+212A, the Kelvin sign, for one, becomes a `k` there.
 */
export function numbersOfPlainText(vocabulary: Vocabulary, text: string): number[] | null {
  const numbers: number[] = [];
  let start = -1;
  let hash = 0;
  // One past the end stands for a space, which ends the last word.
  for (let index = 0; index <= text.length; index += 1) {
    const code = index < text.length ? text.charCodeAt(index) : 0x20;
    const kind = kinds[code];
    if (kind === inWord) {
      if (start < 0) {
        start = index;
        hash = 0;
      }
      hash = Math.imul(hash ^ (code | lowerCase), 0x01000193);
    } else if (kind !== between) {
      return null;
    } else if (start >= 0) {
      numbers.push(recentNumber(vocabulary, text, start, index, hash));
      start = -1;
    }
  }
  return numbers;
}

/** A cache of one word for each hash: whatever the words are, no look-up is longer than the word. */
function recentNumber(vocabulary: Vocabulary, text: string, start: number, end: number, hash: number): number {
  const { recentWords, recentNumbers } = vocabulary;
  const slot = (hash ^ (hash >>> 15)) & (recentSize - 1);
  const recent = recentWords[slot] as string;
  if (recent.length === end - start && standsAt(text, start, recent)) return recentNumbers[slot] as number;

  const word = text.slice(start, end).toLowerCase();
  const number = numberOf(vocabulary, word);
  if (word.length <= 32) {
    recentWords[slot] = copyOf(word);
    recentNumbers[slot] = number;
  }
  return number;
}

function standsAt(text: string, start: number, word: string): boolean {
  for (let index = 0; index < word.length; index += 1) {
    if ((text.charCodeAt(start + index) | lowerCase) !== word.charCodeAt(index)) return false;
  }
  return true;
}

/** The bit that makes a capital small. Every digit has it. */
const lowerCase = 0x20;

const inWord = 1;
const between = 2;
const kinds = new Uint8Array(0x2027);
kinds.fill(between, 0, 0x80);
for (const character of '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz') {
  kinds[character.charCodeAt(0)] = inWord;
}
// No part of a word, neither before NFKC nor after it.
for (const character of '–—‘’“”•…') kinds[character.charCodeAt(0)] = between;
