import { untilAborted } from '@agent-criteria/calls';
import { CriteriaError, type ServiceRetries } from '@agent-criteria/core';
import type { Attempt } from './attempt.ts';
import { emit } from './call-event.ts';
import type { CallPolicyOptions } from './call-policy-options.ts';
import { classifyFailure, type Failure, LONGEST_WAIT } from './classify-failure.ts';
import { callDefaults } from './defaults.ts';

export interface RetryOptions extends Pick<CallPolicyOptions, 'maxRetries' | 'onEvent'> {
  /** The delay before the second attempt, in milliseconds. Each further delay is twice as long. Default 5,000. */
  readonly firstDelay?: number | undefined;
  /** The maximum delay in milliseconds, unless the service requests a longer one. Default 120,000. */
  readonly longestDelay?: number | undefined;
}

/**
 * Makes attempts until one succeeds or fails permanently (see `classifyFailure`). Delays grow from `firstDelay` to
 * `longestDelay`, each multiplied by a random factor from 0.5 to 1, and are never shorter than the service requests. A
 * truncated or blocked answer counts as an answer.
 *
 * Rejects with a CriteriaError CALL_FAILED that names the target, the reason and the number of attempts, with the
 * thrown value as its `cause`. CriteriaErrors other than TIMEOUT are rethrown unchanged, so that nested retries do not
 * multiply.
 *
 * @param options.own How the service wants calls to be retried.
 * @param options.down A signal that ends all waiting.
 */
export async function retrying<T>(
  attempt: Attempt<T>,
  signal: AbortSignal,
  target: string,
  options: RetryOptions & { readonly own?: ServiceRetries | undefined; readonly down?: AbortSignal | undefined } = {},
): Promise<T> {
  const { own, down, firstDelay = 5_000, longestDelay = 120_000, onEvent } = options;
  const maxRetries = options.maxRetries ?? own?.maxRetries ?? callDefaults.maxRetries;
  for (let attempts = 1; ; attempts += 1) {
    signal.throwIfAborted();
    try {
      return await attempt(signal);
    } catch (error) {
      signal.throwIfAborted();
      if (CriteriaError.is(error) && error.code !== 'TIMEOUT') throw error;
      const failure = classifyFailure(error, signal);
      if (!isRetryable(failure, own) || attempts > maxRetries) throw callFailed(target, failure, error, attempts);
      const growing = Math.min(longestDelay, firstDelay * 2 ** (attempts - 1)) * (0.5 + Math.random() / 2);
      const wait = Math.round(Math.max(own?.delay(attempts) ?? growing, failure.retryAfter ?? 0));
      const { kind, message: reason } = failure;
      emit(onEvent, { type: 'retrying', target, attempt: attempts + 1, of: maxRetries + 1, wait, kind, reason });
      await sleep(wait, signal, ...(down === undefined ? [] : [down]));
    }
  }
}

/** Whether to retry. A daily quota does not recover, even if the service lists the status as retryable. */
function isRetryable({ status, kind, retryable, retryAfter = 0 }: Failure, own: ServiceRetries | undefined): boolean {
  if (own === undefined || status === undefined || status < 300) return retryable;
  return own.statuses.includes(status) && kind !== 'quota' && retryAfter <= LONGEST_WAIT;
}

function callFailed(to: string, { message }: Failure, cause: unknown, attempts: number): CriteriaError {
  const what = message.startsWith(to) ? message : `${to}: ${message}`;
  const times = attempts === 1 ? '' : ` (${attempts} attempts)`;
  return new CriteriaError({ code: 'CALL_FAILED', message: `${what}${times}` }, { cause });
}

/** Waits, or rejects with the reason of the first signal that aborts. */
function sleep(milliseconds: number, ...signals: readonly AbortSignal[]): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const slept = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  return signals.reduce((until, signal) => untilAborted(() => until, signal), slept).finally(() => clearTimeout(timer));
}
