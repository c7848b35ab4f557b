import { numberOf, recentSize, type Vocabulary } from './vocabulary.ts';

/**
 * The numbers of the words of a text of ASCII and the dashes and quotation marks of ordinary prose, without a regular
 * expression, and mostly without a string. The same as by way of `splitWords`, with either tokenizer. `null` for any
 * other text: U+212A, the Kelvin sign, for one, becomes a `k` there.
 */
export function numbersOfPlainText(vocabulary: Vocabulary, text: string): number[] | null {
  const { recentWords } = vocabulary;
  const numbers: number[] = [];
  const length = text.length;
  let start = -1;
  // The last 15 characters of the word, six bits each: all of it, if it is no longer.
  let low = 0;
  let middle = 0;
  let high = 0;
  // One past the end stands for a space, which ends the last word.
  for (let index = 0; index <= length; index += 1) {
    const value = index < length ? (values[text.charCodeAt(index)] as number) : between;
    if (value > between) {
      if (start < 0) start = index;
      high = ((high << 6) | (middle >>> 24)) & thirtyBits;
      middle = ((middle << 6) | (low >>> 24)) & thirtyBits;
      low = ((low << 6) | value) & thirtyBits;
      continue;
    }
    if (value !== between) return null;
    if (start < 0) continue;
    if (index - start > 15) {
      numbers.push(numberOf(vocabulary, text.slice(start, index).toLowerCase()));
    } else {
      // A cache of one word for each hash. The packed word is compared, so that no two are ever mixed up.
      const hash = Math.imul(low ^ Math.imul(middle, 0x9e3779b1) ^ Math.imul(high, 0x85ebca6b), 0xcc9e2d51);
      const slot = ((hash ^ (hash >>> 15)) & (recentSize - 1)) << 2;
      if (recentWords[slot] !== low || recentWords[slot + 1] !== middle || recentWords[slot + 2] !== high) {
        recentWords[slot + 3] = numberOf(vocabulary, text.slice(start, index).toLowerCase());
        recentWords[slot] = low;
        recentWords[slot + 1] = middle;
        recentWords[slot + 2] = high;
      }
      numbers.push(recentWords[slot + 3] as number);
    }
    start = -1;
    low = 0;
    middle = 0;
    high = 0;
  }
  return numbers;
}

const thirtyBits = 0x3fffffff;

/** 1 to 36 for what words are made of, capitals as small letters; 0 between words; -1, or undefined, for all else. */
const values = new Int8Array(0x2027).fill(-1);
const between = 0;
values.fill(between, 0, 0x80);
for (const [index, character] of [...'0123456789abcdefghijklmnopqrstuvwxyz'].entries()) {
  values[character.charCodeAt(0)] = index + 1;
  values[character.toUpperCase().charCodeAt(0)] = index + 1;
}
// No part of a word, neither before NFKC nor after it.
for (const character of '–—‘’“”•…') values[character.charCodeAt(0)] = between;
