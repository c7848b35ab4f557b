/** The votes counted so far. */
export interface Ballot {
  readonly positive: number;
  readonly negative: number;
  /** Samples without an opinion: unreadable, truncated, blocked or failed. */
  readonly unreadable: number;
}

/**
 * Returns the outcome of a vote once no further opinion can change it; `undecided` until then. Positive needs more than
 * half of all samples, negative at least half: a tie is negative. If unreadable samples make both impossible, it is
 * `could-not-judge`.
 *
 * @param samples The number of samples in the vote.
 * @throws RangeError if `samples` is not a positive integer, or the ballot has more opinions.
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
