import type { AnswerSource, Json } from '@agent-criteria/core';
import type { SecretMask } from '@agent-criteria/masking';
import { type Answers, masked, redacted } from './answers.ts';
import type { Attempt } from './attempt.ts';
import type { Cache, Given } from './cache.ts';
import { callKey, keyAt } from './call-key.ts';
import { withRequests } from './policy-call.ts';
import type { RecordedCall, Recording } from './recording.ts';
import { singleFlight } from './single-flight.ts';

export interface AnswerStores {
  readonly recording: Recording | null;
  readonly cache: Cache | null;
  /** Masks secrets in an answer before it is cached, or `null` for no masking. */
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

/** An answer from the cache or a call, before it is recorded. */
interface UnrecordedAnswer<T> {
  readonly given: Given<T>;
  /** Whether `redact` was applied. It must not be applied again, because it may not be idempotent. */
  readonly isRedacted: boolean;
}

/** Finds answers that need no new call: recorded, cached, or already requested. */
export function storedAnswers({ recording, cache, mask, redact }: AnswerStores) {
  const flights = singleFlight<Given<unknown>>();
  /** The answer's source for all callers but the first. */
  const shared: AnswerSource = cache === null ? 'recording' : 'cache';

  /** Returns the recorded answer, or else makes the attempt and records its result. */
  async function recorded<T>(
    key: string,
    call: StoredCall<T>,
    attempt: Attempt<UnrecordedAnswer<T>>,
    signal: AbortSignal,
  ): Promise<Given<T>> {
    if (recording === null) return (await attempt(signal)).given;
    const stored = recording.find(key);
    const answer = stored === null ? null : call.answers.unpack(stored);
    if (answer !== null) return { answer, from: 'recording' };
    if (recording.mode === 'replay') throw recording.missing(key, call);
    const { given, isRedacted } = await attempt(signal);
    return { ...given, answer: recording.keep(key, call, { answer: given.answer, isRedacted }, call.answers) };
  }

  /** Returns the cached answer, or else makes the attempt and caches its result if it is complete. */
  async function cached<T>(
    key: string,
    { target, answers }: StoredCall<T>,
    attempt: Attempt<Given<T>>,
    signal: AbortSignal,
  ): Promise<UnrecordedAnswer<T>> {
    if (cache === null) return { given: await attempt(signal), isRedacted: false };
    const stored = await cache.get(key);
    const answer = stored === null ? null : answers.unpack(stored.answer);
    if (stored !== null && answer !== null) {
      return { given: { answer, from: 'cache' }, isRedacted: stored.isRedacted };
    }
    signal.throwIfAborted();
    const given = await attempt(signal);
    const bare = answers.pack(given.answer);
    if (!answers.isWhole(given.answer) || answers.unpack(bare) === null) return { given, isRedacted: false };
    const packed = mask === null ? bare : masked(bare, mask);
    if (redact !== undefined) {
      const safe = redacted(packed, answers, redact);
      await cache.set(key, target, safe.packed, true);
      return { given: { ...given, answer: safe.answer }, isRedacted: true };
    }
    await cache.set(key, target, packed);
    const own = packed === bare ? given : { ...given, answer: answers.unpack(packed) ?? given.answer };
    return { given: own, isRedacted: false };
  }

  return {
    /**
     * Returns the stored answer, or else makes the attempt and stores its result. Identical concurrent calls are made
     * once if there is a recording or a cache.
     */
    async ask<T>(call: StoredCall<T>, attempt: Attempt<Given<T>>, signal: AbortSignal): Promise<Given<T>> {
      if (recording === null && cache === null) return attempt(signal);
      const key = callKey(call);
      const cacheKey = keyAt(key, call.endpoint);
      let started = false;
      const own: Attempt<Given<T>> = (inner) => {
        started = true;
        return recorded(key, call, (signal) => cached(cacheKey, call, attempt, signal), inner);
      };
      const flight = await flights.run(cacheKey, own, signal).catch((error: unknown) => {
        // The requests count for the first caller.
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
