/**
 * Approximates the minimum cost of ROUGE-1 in JavaScript: one read of each character, a hash for each word, a count for
 * each hash, and no strings. It does not stem, reads only ASCII, and treats words with equal hashes as equal: a bound
 * to compare with, not an implementation to use.
 *
 * @returns the F-measure
 */
export function crudeRouge1(candidate: string, reference: string): number {
  stamp += 1;
  shared = 0;
  const made = scan(candidate, 1);
  const expected = scan(reference, -1);
  return made + expected === 0 ? 0 : (2 * shared) / (made + expected);
}

// An open-addressing hash table for up to some thousand words, emptied by using a new stamp.
const mask = (1 << 14) - 1;
const stamps = new Int32Array(mask + 1);
const hashes = new Int32Array(mask + 1);
const counts = new Int32Array(mask + 1);
let stamp = 0;
let shared = 0;

/** Counts the words of a text up (1), or down (-1) to no less than 0. Returns the number of words in the text. */
function scan(text: string, step: 1 | -1): number {
  let words = 0;
  let inside = false;
  let hash = fnvStart;
  for (let index = 0; index <= text.length; index += 1) {
    let code = index < text.length ? text.charCodeAt(index) : 0x20;
    if (code >= 0x41 && code <= 0x5a) code |= 0x20;
    if ((code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39)) {
      hash = Math.imul(hash ^ code, fnvPrime);
      inside = true;
    } else if (inside) {
      words += 1;
      const slot = slotOf(hash);
      if (step === 1) counts[slot]! += 1;
      else if (counts[slot]! > 0) {
        counts[slot]! -= 1;
        shared += 1;
      }
      inside = false;
      hash = fnvStart;
    }
  }
  return words;
}

const fnvStart = 0x811c9dc5;
const fnvPrime = 0x01000193;

function slotOf(hash: number): number {
  let slot = hash & mask;
  while (stamps[slot] === stamp && hashes[slot] !== hash) slot = (slot + 1) & mask;
  if (stamps[slot] !== stamp) {
    stamps[slot] = stamp;
    hashes[slot] = hash;
    counts[slot] = 0;
  }
  return slot;
}
