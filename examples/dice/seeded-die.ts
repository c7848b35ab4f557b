/** One roll, and the seed of the next. */
export interface Roll {
  /** From 1 to the number of sides. */
  readonly result: number;
  readonly nextSeed: number;
}

/**
 * Rolls a die without chance: the same seed gives the same result. The generator is mulberry32, whose whole state is
 * one 32-bit integer, so a session can keep it as plain JSON.
 *
 * @param seed Any integer; its low 32 bits count.
 * @param sides At least 1.
 */
export function rollDie(seed: number, sides: number): Roll {
  const nextSeed = (seed + 0x6d2b79f5) | 0;
  let mixed = Math.imul(nextSeed ^ (nextSeed >>> 15), nextSeed | 1);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
  const fraction = ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  return { result: Math.floor(fraction * sides) + 1, nextSeed };
}
