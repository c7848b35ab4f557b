import { untilAborted } from '@agent-criteria/calls';
import { CriteriaError } from '@agent-criteria/core';
import { classifyFailure } from './classify-failure.ts';

/** Failures that every call to the model would run into. */
const FINAL: ReadonlySet<string> = new Set(['not-found', 'auth']);

/**
 * How long other calls wait for the first call to a model, in milliseconds. A service that rejects the key, or does not
 * have the model, answers sooner.
 */
const HEAD_START = 500;

/**
 * Remembers models that have never answered and never will, because they no longer exist or the key is not valid for
 * them. The first call to a model gets a short head start, so that they are normally called only once.
 */
export function openUnusableModels() {
  const answering = new Set<string>();
  const dead = new Map<string, CriteriaError>();
  /** Promises that settle when the first call to a model ends, or its head start does. */
  const first = new Map<string, Promise<void>>();
  return {
    /** Makes the call, or rejects at once with the model's known failure. */
    async run<T>(to: string, call: () => Promise<T>, signal: AbortSignal): Promise<T> {
      signal.throwIfAborted();
      const ahead = first.get(to);
      let ended = (): void => undefined;
      if (ahead !== undefined) await untilAborted(() => ahead, signal);
      else {
        const over = new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, HEAD_START);
          ended = () => {
            clearTimeout(timer);
            resolve();
          };
        });
        first.set(to, over);
      }
      const known = dead.get(to);
      if (known !== undefined) throw known;
      try {
        const answer = await call();
        answering.add(to);
        return answer;
      } catch (error) {
        if (!answering.has(to) && CriteriaError.is(error) && FINAL.has(classifyFailure(error, signal).kind)) {
          dead.set(to, error);
        }
        throw error;
      } finally {
        ended();
      }
    },
  };
}
