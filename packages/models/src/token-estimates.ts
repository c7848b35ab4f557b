import type { State } from '@agent-criteria/core';

/** A typical ratio for today's tokenizers in most languages. */
const BYTES_PER_TOKEN = 4;

/** Estimates the number of tokens in this many bytes of text. */
function guessTokens(bytes: number): number {
  return Math.ceil(bytes / BYTES_PER_TOKEN);
}

/** Returns the size of a request as JSON, in bytes. */
export function bytesOf(request: unknown): number {
  return Buffer.byteLength(JSON.stringify(request) ?? '');
}

/** Estimates the usage of a call from its request and the text of its answer. */
export function guessUsage(request: unknown, text: string): State {
  return { inputTokens: guessTokens(bytesOf(request)), outputTokens: guessTokens(Buffer.byteLength(text)) };
}

/** The number of tokens that a call is expected to use. */
export interface TokenEstimate {
  /** The estimate from its text alone. */
  readonly guessed: number;
  /** The estimate corrected by earlier calls. */
  readonly expected: number;
}

/** Estimates tokens from bytes, and learns from answered calls. */
export function openTokenEstimates() {
  const sum = { guessed: 0, taken: 0 };
  return {
    estimate(bytes: number): TokenEstimate {
      const guessed = guessTokens(bytes);
      const ratio = sum.guessed === 0 ? 1 : sum.taken / sum.guessed;
      return { guessed, expected: Math.ceil(guessed * ratio) };
    },
    /** Learns from the number of tokens that a call actually used. */
    learn({ guessed }: TokenEstimate, taken: number): void {
      sum.guessed += guessed;
      sum.taken += taken;
    },
  };
}
