/** Returns `; did you mean "threshold"?`, to end a message, if a name is close to the word; otherwise `''`. */
export function didYouMean(word: string, names: Iterable<string>): string {
  const name = closest(word, names);
  return name === undefined ? '' : `; did you mean "${name}"?`;
}

/**
 * Finds the name that is closest to a misspelt word: at most one typo for every four letters begun (a letter too many,
 * missing or wrong, or two swapped), and at most three in total. Case and underscores are ignored. Ties go to the first
 * name.
 */
export function closest(word: string, names: Iterable<string>): string | undefined {
  const wanted = plain(word);
  // A single letter must not match any other.
  let limit = Math.max(0, Math.min(3, Math.ceil(wanted.length / 4), wanted.length - 1));
  let best: string | undefined;
  for (const name of names) {
    const slips = distance(wanted, plain(name), limit);
    if (slips > limit) continue;
    best = name;
    if (slips === 0) break;
    limit = slips - 1;
  }
  return best;
}

function plain(word: string): string {
  return word.replaceAll('_', '').toLowerCase();
}

/** The Damerau-Levenshtein distance with adjacent swaps. A result above `limit` only means "too far". */
function distance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1];
      let slips = Math.min(last[column]! + 1, current[column - 1]! + 1, last[column - 1]! + (same ? 0 : 1));
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]) {
        slips = Math.min(slips, beforeLast[column - 2]! + 1);
      }
      current.push(slips);
    }
    beforeLast = last;
    last = current;
  }
  return last[b.length]!;
}
