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
  /** Takes secrets out of an answer before it is cached; `null`: they stay. */
  readonly mask: SecretMask | null;
  /** Changes an answer before it is cached. */
  readonly redact?: ((answer: Json) => Json) | undefined;
}

/** A call whose answer may be kept. */
export interface StoredCall<T> extends RecordedCall {
  readonly answers: Answers<T>;
  /** Who answers, where it is not the service itself. */
  readonly endpoint?: string | undefined;
}

/** Answers that need no new call: recorded, cached, or already requested. */
export interface StoredAnswers {
  /** What is kept, else what the attempt gives, which is kept. Identical calls at the same time are made once. */
  ask<T>(call: StoredCall<T>, attempt: Attempt<Given<T>>, signal: AbortSignal): Promise<Given<T>>;
}

export function storedAnswers({ recording, cache, mask, redact }: AnswerStores): StoredAnswers {
  const flights = singleFlight<Given<unknown>>();
  /** Where an answer has come from for those who did not ask first. */
  const shared: AnswerSource = cache === null ? 'recording' : 'cache';
  return {
    async ask<T>(call: StoredCall<T>, attempt: Attempt<Given<T>>, signal: AbortSignal): Promise<Given<T>> {
      if (recording === null && cache === null) return attempt(signal);
      const key = callKey(call);
      const here = keyAt(key, call.endpoint);
      const { target, answers } = call;
      const fromCache: Attempt<Given<T>> =
        cache === null
          ? attempt
          : (own) => cached({ cache, key: here, to: target, answers, mask, redact }, attempt, own);
      const kept: Attempt<Given<T>> =
        recording === null ? fromCache : (own) => recorded({ recording, key, call, answers }, fromCache, own);
      let began = false;
      const own: Attempt<Given<T>> = (inner) => {
        began = true;
        return kept(inner);
      };
      const flight = await flights.run(here, own, signal).catch((error: unknown) => {
        // Requests are counted for the first caller.
        throw began ? error : withRequests(error, 0);
      });
      // Equal keys have answers of equal kinds.
      const given = flight.answer as Given<T>;
      const { answer, from } = given;
      recording?.note(key, call);
      return flight.joined ? { answer, from: from === 'live' ? shared : from } : given;
    },
  };
}
