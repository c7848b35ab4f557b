import type { AnswerSource, Json } from '@agent-criteria/core';
import type { SecretMask } from '@agent-criteria/masking';
import type { Answers } from './answers.ts';
import type { Attempt } from './attempt.ts';
import { type Cache, cached, type Given } from './cache.ts';
import { callKey, keyAt } from './call-key.ts';
import { withRequests } from './policy-call.ts';
import { type RecordedCall, type Recording, recorded } from './recording.ts';
import { singleFlight } from './single-flight.ts';

export interface AnswerStores {
  readonly recording: Recording | null;
  readonly cache: Cache | null;
  /** Masks secrets in an answer before it is cached; `null` for no masking. */
  readonly mask: SecretMask | null;
  /** Changes an answer before it is cached. */
  readonly redact?: ((answer: Json) => Json) | undefined;
}

/** A call whose answer may be stored. */
export interface StoredCall<T> extends RecordedCall {
  readonly answers: Answers<T>;
  /** The endpoint, if it is not the service itself. */
  readonly endpoint?: string | undefined;
}

/** Finds answers that need no new call: recorded, cached, or already requested. */
export function storedAnswers({ recording, cache, mask, redact }: AnswerStores) {
  const flights = singleFlight<Given<unknown>>();
  /** The source of an answer for all callers but the first. */
  const shared: AnswerSource = cache === null ? 'recording' : 'cache';
  return {
    /** Returns the stored answer, otherwise the result of the attempt, which is stored. Identical concurrent calls are made once. */
    async ask<T>(call: StoredCall<T>, attempt: Attempt<Given<T>>, signal: AbortSignal): Promise<Given<T>> {
      if (recording === null && cache === null) return attempt(signal);
      const key = callKey(call);
      const cacheKey = keyAt(key, call.endpoint);
      const { target, answers } = call;
      const fromCache: Attempt<Given<T>> =
        cache === null
          ? attempt
          : (own) => cached({ cache, key: cacheKey, to: target, answers, mask, redact }, attempt, own);
      const stored: Attempt<Given<T>> =
        recording === null ? fromCache : (own) => recorded({ recording, key, call, answers }, fromCache, own);
      let started = false;
      const own: Attempt<Given<T>> = (inner) => {
        started = true;
        return stored(inner);
      };
      const flight = await flights.run(cacheKey, own, signal).catch((error: unknown) => {
        // The first caller counts the requests.
        throw started ? error : withRequests(error, 0);
      });
      // Equal keys have answers of the same kind.
      const given = flight.answer as Given<T>;
      const { answer, from } = given;
      recording?.note(key, call);
      return flight.joined ? { answer, from: from === 'live' ? shared : from } : given;
    },
  };
}
