/**
 * Finds a maximum matching between `left` and `right` items: as many pairs as possible, each item in at most one. Uses
 * augmenting paths, found breadth first; each pair is tested at most once.
 * @returns For each left item, the index of the right item that it is paired with, or -1.
 */
export function maximumMatching(
  left: number,
  right: number,
  fits: (left: number, right: number) => boolean,
): Int32Array {
  const rightOf = new Int32Array(left).fill(-1);
  const leftOf = new Int32Array(right).fill(-1);
  // By left item, created on demand: 0 if not tested yet, 1 if the pair fits, 2 if it does not.
  const answers: Uint8Array[] = [];
  const asks = (l: number, r: number) => {
    answers[l] ??= new Uint8Array(right);
    const row = answers[l];
    if (row[r] === 0) row[r] = fits(l, r) ? 1 : 2;
    return row[r] === 1;
  };

  for (let start = 0; start < left; start++) {
    // By right item: the left item from which it was reached, or -1 if it was not reached.
    const reachedFrom = new Int32Array(right).fill(-1);
    const queue = [start];
    let free = -1;
    for (let next = 0; next < queue.length && free === -1; next++) {
      const l = queue[next]!;
      for (let r = 0; r < right; r++) {
        if (reachedFrom[r] !== -1 || !asks(l, r)) continue;
        reachedFrom[r] = l;
        if (leftOf[r] === -1) {
          free = r;
          break;
        }
        queue.push(leftOf[r]!);
      }
    }
    // On the path back to the start, every left item takes the right item that it reached.
    while (free !== -1) {
      const l = reachedFrom[free]!;
      const given = rightOf[l]!;
      leftOf[free] = l;
      rightOf[l] = free;
      free = given;
    }
  }
  return rightOf;
}
