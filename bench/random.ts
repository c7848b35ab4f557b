/** A source of random numbers that is deterministic for a seed. */
export interface Random {
  /** Draws a number of at least 0 and below 1. */
  next(): number;
  /** Draws an integer of at least 0 and below `limit`. */
  below(limit: number): number;
  pick<T>(list: readonly T[]): T;
  /** Returns a shuffled copy. */
  shuffled<T>(list: readonly T[]): T[];
}

/** Mulberry32: small, fast, and good enough to generate texts. */
export function createRandom(seed: number): Random {
  let state = seed;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    next,
    below,
    pick: (list) => list[below(list.length)]!,
    shuffled(list) {
      const result = [...list];
      for (let last = result.length - 1; last > 0; last -= 1) {
        const other = below(last + 1);
        [result[last], result[other]] = [result[other]!, result[last]!];
      }
      return result;
    },
  };
}
