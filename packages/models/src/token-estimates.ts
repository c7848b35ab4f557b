import { guessTokens } from './guess-tokens.ts';

/** What a call is expected to take before it begins. */
export interface TokenEstimate {
  /** By its text alone. */
  readonly guessed: number;
  /** The same, corrected by what calls before it took. */
  readonly expected: number;
}

/** Guesses tokens from bytes, and learns from the calls that have ended. */
export interface TokenEstimates {
  estimate(bytes: number): TokenEstimate;
  /** A call took so many tokens. */
  learn(estimate: TokenEstimate, taken: number): void;
}

export function openTokenEstimates(): TokenEstimates {
  const sum = { guessed: 0, taken: 0 };
  return {
    estimate(bytes) {
      const guessed = guessTokens(bytes);
      const ratio = sum.guessed === 0 ? 1 : sum.taken / sum.guessed;
      return { guessed, expected: Math.ceil(guessed * ratio) };
    },
    learn({ guessed }, taken) {
      sum.guessed += guessed;
      sum.taken += taken;
    },
  };
}
