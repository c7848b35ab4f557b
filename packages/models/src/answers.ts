import { CriteriaError, type Json, type ModelAnswer } from '@agent-criteria/core';
import type { SecretMask } from '@agent-criteria/masking';

/** How answers of one kind are kept. */
export interface Answers<T> {
  pack(answer: T): Json;
  /** `null`: what was kept is no such answer. */
  unpack(kept: Json): T | null;
  /** Whether a cache may keep it: an answer that is no opinion is asked for again. */
  isWhole(answer: T): boolean;
}

/** Model answers without where they came from, and what that took. */
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

/** The answers of services are plain JSON; their type is known to the caller. */
export function serviceAnswers<T extends Json>(isWhole: (answer: T) => boolean = () => true): Answers<T> {
  return { pack: (answer) => answer, unpack: (kept) => kept as T, isWhole };
}

/** An answer with its secrets masked. A value that is not JSON cannot be stored, and is returned unchanged. */
export function masked(packed: Json, mask: SecretMask): Json {
  try {
    return mask.json(packed);
  } catch {
    return packed;
  }
}

/** An answer as it may be kept, packed and as the run goes on with it. @throws CriteriaError INVALID_CONFIG for a wrong `redact`. */
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
