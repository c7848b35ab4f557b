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
