/**
 * Computes the length of the longest common subsequence of two lists of numbers below `size`.
 *
 * Uses Hyyrö's bit-vector algorithm ("Bit-parallel LCS-length computation revisited", 2004), which processes 32
 * elements of the first list at once, and only where something can change. Time is at most the product of both lengths
 * over 32; memory is linear.
 */
export function longestCommonSubsequence(first: readonly number[], second: readonly number[], size: number): number {
  // The positions of each number in the first list, as a chain of 32-bit blocks.
  const head = new Int32Array(size).fill(-1);
  const next: number[] = [];
  const block: number[] = [];
  const mask: number[] = [];
  for (let index = first.length - 1; index >= 0; index -= 1) {
    const number = first[index] as number;
    const top = head[number] as number;
    const place = index >>> 5;
    if (top >= 0 && block[top] === place) {
      mask[top] = (mask[top] as number) | (1 << (index & 31));
    } else {
      head[number] = next.length;
      next.push(top);
      block.push(place);
      mask.push(1 << (index & 31));
    }
  }

  // A zero bit marks where the subsequence grows. For each element: row = (row + hits) | (row - hits).
  const row = new Int32Array((first.length + 31) >>> 5).fill(-1);
  for (const number of second) {
    let link = head[number] as number;
    let carry = 0;
    for (let place = 0; link >= 0 || carry > 0; place += 1) {
      if (carry === 0) place = block[link] as number;
      if (place === row.length) break;
      let matches = 0;
      if (link >= 0 && block[link] === place) {
        matches = mask[link] as number;
        link = next[link] as number;
      }
      const bits = row[place] as number;
      const sum = (bits >>> 0) + ((bits & matches) >>> 0) + carry;
      carry = sum > 0xffff_ffff ? 1 : 0;
      row[place] = sum | (bits & ~matches);
    }
  }

  let length = 0;
  for (let index = 0; index < first.length; index += 1) {
    if ((((row[index >>> 5] as number) >>> (index & 31)) & 1) === 0) length += 1;
  }
  return length;
}
