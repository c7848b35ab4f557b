import { CriteriaError, type Json, type ModelAnswer } from '@agent-criteria/core';
import type { SecretMask } from '@agent-criteria/masking';

/** Defines how answers of one kind are stored. */
export interface Answers<T> {
  pack(answer: T): Json;
  /** Returns `null` if the stored value is not an answer of this kind. */
  unpack(kept: Json): T | null;
  /** Whether a cache may store the answer. Incomplete answers are requested again. */
  isWhole(answer: T): boolean;
}

/** A model's answer without its source and its number of requests. */
export type BareAnswer = Omit<ModelAnswer, 'from' | 'requests'>;

const FINISHES: ReadonlySet<unknown> = new Set(['stop', 'length', 'blocked', 'other']);

export const modelAnswers: Answers<BareAnswer> = {
  pack: ({ text, finish, usage }) => ({ text, finish, usage }),
  unpack(kept) {
    if (typeof kept !== 'object' || kept === null || Array.isArray(kept)) return null;
    const { text, finish, usage } = kept as Record<string, Json>;
    if (typeof text !== 'string' || !FINISHES.has(finish)) return null;
    if (typeof usage !== 'object' || usage === null || Array.isArray(usage)) return null;
    return { text, finish, usage } as BareAnswer;
  },
  isWhole: ({ finish }) => finish === 'stop',
};

/** Handles services' answers, which are plain JSON of a type known to the caller. */
export function serviceAnswers<T extends Json>(isWhole: (answer: T) => boolean = () => true): Answers<T> {
  return { pack: (answer) => answer, unpack: (kept) => kept as T, isWhole };
}

/** Masks secrets in an answer. A value that is not JSON cannot be stored, and is returned unchanged. */
export function masked(packed: Json, mask: SecretMask): Json {
  try {
    return mask.json(packed);
  } catch {
    return packed;
  }
}

/**
 * Redacts an answer for storage. Returns it packed, and as the run uses it. @throws CriteriaError INVALID_CONFIG for a
 * wrong `redact`.
 */
export function redacted<T>(
  packed: Json,
  answers: Answers<T>,
  redact: ((answer: Json) => Json) | undefined,
): { readonly packed: Json; readonly answer: T } {
  const kept = redact === undefined ? packed : redact(packed);
  const answer = answers.unpack(kept);
  if (answer !== null) return { packed: kept, answer };
  const message = 'redact must return JSON of the same shape: what it returned is no longer an answer of a model';
  throw new CriteriaError({ code: 'INVALID_CONFIG', message });
}
