import { numberOf, recentSize, type Vocabulary } from './vocabulary.ts';

/**
 * Converts the words of a text to numbers, if the text contains only ASCII, dashes and quotation marks. It uses no
 * regular expression, and mostly no strings, and gives the same result as `splitWords` with either tokenizer. Returns
 * `null` for any other text: U+212A, the Kelvin sign, for example, would become a `k`.
 */
export function numbersOfPlainText(vocabulary: Vocabulary, text: string): number[] | null {
  const { recentWords } = vocabulary;
  const numbers: number[] = [];
  const length = text.length;
  let start = -1;
  // The last 15 characters of the word at six bits each, which is the whole word unless it is longer.
  let low = 0;
  let middle = 0;
  let high = 0;
  // The position after the end counts as a space, which ends the last word.
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
      // A cache of one word per hash. The packed words are compared, so that words with equal hashes are not confused.
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

/**
 * The value of each character: 1 to 36 for word characters, ignoring case, 0 for separators, and -1 or undefined for
 * all others.
 */
const values = new Int8Array(0x2027).fill(-1);
const between = 0;
values.fill(between, 0, 0x80);
for (const [index, character] of [...'0123456789abcdefghijklmnopqrstuvwxyz'].entries()) {
  values[character.charCodeAt(0)] = index + 1;
  values[character.toUpperCase().charCodeAt(0)] = index + 1;
}
// These are not part of a word, either before or after NFKC.
for (const character of '–—‘’“”•…') values[character.charCodeAt(0)] = between;
