import type { State } from '@agent-criteria/core';

/** Of most texts in most languages, by the tokenizers of today. */
const BYTES_PER_TOKEN = 4;

/** How many tokens so many bytes of text are, about. */
export function guessTokens(bytes: number): number {
  return Math.ceil(bytes / BYTES_PER_TOKEN);
}

/** How many bytes a request has as JSON. */
export function bytesOf(request: unknown): number {
  return Buffer.byteLength(JSON.stringify(request) ?? '');
}

/** What an answer took, guessed from its texts. */
export function guessUsage(request: unknown, text: string): State {
  return { inputTokens: guessTokens(bytesOf(request)), outputTokens: guessTokens(Buffer.byteLength(text)) };
}

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
