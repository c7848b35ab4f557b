import { toMilliseconds } from '@agent-criteria/calls';
import type { Problem } from '@agent-criteria/core';
import type { Attempt } from './attempt.ts';
import { attemptInTime } from './attempt.ts';
import type { Budget } from './budget.ts';
import type { Given } from './cache.ts';
import type { CallIdentity } from './call-key.ts';
import type { CallPolicyOptions } from './call-policy-options.ts';
import { checkNumbers } from './check-numbers.ts';
import { openCircuitBreaker, type Pass } from './circuit-breaker.ts';
import { callDefaults } from './defaults.ts';
import { openLimit, sizeOf } from './limit.ts';
import type { PolicyCall } from './policy-call.ts';
import { withRequests } from './policy-call.ts';
import { retrying } from './retry.ts';
import type { Used } from './spending.ts';
import { openUnusableModels } from './unusable-models.ts';

export interface LiveCallOptions
  extends Pick<
    CallPolicyOptions,
    'maxRetries' | 'callTimeout' | 'concurrency' | 'requestsPerMinute' | 'tokensPerMinute' | 'onEvent'
  > {
  readonly budget: Budget;
}

/**
 * Creates the policies that send calls. From outside to inside: circuit breaker, retries, limit, budget, time limit.
 * @throws CriteriaError USAGE for invalid numbers.
 */
export function openLiveCalls(options: LiveCallOptions) {
  const { budget, maxRetries, requestsPerMinute, tokensPerMinute, onEvent } = options;
  const { callTimeout = callDefaults.callTimeout, concurrency: { calls } = {} } = options;
  checkNumbers({
    counts: { 'concurrency.calls': calls, requestsPerMinute, tokensPerMinute },
    fromZero: { maxRetries },
    times: { callTimeout },
  });
  const limits = forEachTarget((target) =>
    openLimit(target, { concurrency: calls, requestsPerMinute, tokensPerMinute, onEvent }),
  );
  const circuitBreakers = forEachTarget((target) => openCircuitBreaker(target, onEvent));
  const dead = openUnusableModels();

  function attempts<T>(call: PolicyCall<T>, signal: AbortSignal, { isProbe, down, attempt }: Pass) {
    const { target, send, interval, retries: own } = call;
    const limit = limits.of(call);
    const size = sizeOf<Given<T>>(call.request, ({ answer }) => call.usage(answer));
    const inBudget: Attempt<Given<T>> = (given) =>
      attempt(
        () =>
          budget.run(
            target,
            (inner) => attemptInTime(send, inner, toMilliseconds(callTimeout), target),
            given,
            (answer) => usedBy(call, answer),
          ),
        given,
      );
    const limited: Attempt<Given<T>> = (given) => limit.run(inBudget, given, size, interval);
    return retrying(limited, signal, target, { maxRetries: isProbe ? 0 : maxRetries, onEvent, own, down });
  }

  return {
    async run<T>(call: PolicyCall<T>, signal: AbortSignal): Promise<Given<T>> {
      let requests = 0;
      const counted: PolicyCall<T> = {
        ...call,
        async send(inner) {
          requests += 1;
          const given = await call.send(inner);
          requests += (given.requests ?? 1) - 1;
          return given;
        },
      };
      const made = () => circuitBreakers.of(call).run((pass) => attempts(counted, signal, pass), signal);
      try {
        const given = await (call.kind === 'model' ? dead.run(call.target, made, signal) : made());
        return given.from === 'live' && requests !== 1 ? { ...given, requests } : given;
      } catch (error) {
        throw withRequests(error, requests);
      }
    },
    /** Returns warnings about calls that were not made. */
    warnings: (): readonly Problem[] => circuitBreakers.all().flatMap((breaker) => breaker.warnings()),
  };
}

function usedBy<T>(call: PolicyCall<T>, { answer, from }: Given<T>): Used {
  return { usage: call.usage(answer), from, guess: call.guess && (() => call.guess?.(answer) ?? {}) };
}

/** Creates one object for each model and each service, on first use. */
function forEachTarget<Thing>(make: (target: string) => Thing) {
  const made = new Map<string, Thing>();
  return {
    of({ kind, target }: Pick<CallIdentity, 'kind' | 'target'>): Thing {
      const key = `${kind} ${target}`;
      const thing = made.get(key) ?? make(target);
      made.set(key, thing);
      return thing;
    },
    all: (): readonly Thing[] => [...made.values()],
  };
}
