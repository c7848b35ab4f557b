/** Returns the next random 32-bit integer: 0 to 2^32 - 1. */
export type Random = () => number;

/**
 * Creates a seeded random number generator that is the same in every browser and runtime: xoshiro128** (Blackman and
 * Vigna 2021), with its state derived from the seed by SplitMix32. For simulation and resampling, not for secrets.
 *
 * @throws RangeError if `seed` is not a whole number.
 */
export function createRandom(seed: number): Random {
  if (!Number.isSafeInteger(seed)) throw new RangeError(`seed is ${seed}, but must be a whole number, such as 1.`);
  let spread = (seed ^ (seed / 2 ** 32)) >>> 0;
  const next = () => {
    spread = (spread + 0x9e3779b9) >>> 0;
    let mixed = Math.imul(spread ^ (spread >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return (mixed ^ (mixed >>> 15)) >>> 0;
  };
  let [a, b, c, d] = [next(), next(), next(), next()];
  return () => {
    const product = Math.imul(b, 5);
    const result = Math.imul((product << 7) | (product >>> 25), 9) >>> 0;
    const shifted = b << 9;
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= shifted;
    d = (d << 11) | (d >>> 21);
    return result;
  };
}

/** Draws a number of at least 0 and below 1. */
export function uniform(random: Random): number {
  return (random() >>> 0) / 2 ** 32;
}
