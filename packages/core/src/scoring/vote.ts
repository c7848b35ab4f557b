/** The opinions seen so far in a vote of two-valued opinions. */
export interface Ballot {
  readonly positive: number;
  readonly negative: number;
  /** Samples that gave no opinion: unreadable, cut off, blocked, failed. */
  readonly unreadable: number;
}

/**
 * The outcome of a vote of `samples` opinions, as soon as no opinion still to come can change it; else `undecided`.
 *
 * Positive needs more than half of all samples, negative at least half (a tie is negative). Once unreadable samples
 * make both impossible, nobody can judge.
 *
 * @throws RangeError when `samples` is not a positive integer or the ballot holds more than that.
 */
export function decide(samples: number, seen: Ballot): 'positive' | 'negative' | 'could-not-judge' | 'undecided' {
  const counted = seen.positive + seen.negative + seen.unreadable;
  if (!Number.isInteger(samples) || samples < 1)
    throw new RangeError(`a vote needs at least one sample, not ${samples}`);
  if (counted > samples) throw new RangeError(`a vote of ${samples} samples cannot have ${counted} opinions`);
  const half = samples / 2;
  if (seen.positive > half) return 'positive';
  if (seen.negative >= half) return 'negative';
  const open = samples - counted;
  if (seen.positive + open <= half && seen.negative + open < half) return 'could-not-judge';
  return 'undecided';
}
