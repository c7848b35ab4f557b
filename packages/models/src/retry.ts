import { untilAborted } from '@agent-criteria/calls';
import { CriteriaError, type ServiceRetries } from '@agent-criteria/core';
import type { Attempt } from './attempt.ts';
import { type CallWatcher, emit } from './call-event.ts';
import { checkNumbers } from './check-numbers.ts';
import { classifyFailure, type Failure, LONGEST_WAIT } from './classify-failure.ts';
import { callDefaults } from './defaults.ts';

export interface RetryOptions {
  /** How often a call is made again. Default 6: seven attempts in all, as in ADK. 0: never. */
  readonly maxRetries?: number | undefined;
  /** Milliseconds before the second attempt; each next wait is twice as long. Default 5,000. */
  readonly firstDelay?: number | undefined;
  /** No wait of ours is longer, in milliseconds. Default 120,000. */
  readonly longestDelay?: number | undefined;
  readonly onEvent?: CallWatcher | undefined;
}

/** @throws CriteriaError USAGE */
export function checkRetryOptions({ maxRetries, firstDelay, longestDelay }: RetryOptions): void {
  checkNumbers({ fromZero: { maxRetries }, times: { firstDelay, longestDelay } });
}

/**
 * Makes attempts until one succeeds or fails for a reason that does not pass (see `classifyFailure`). The waits grow from
 * `firstDelay` to `longestDelay`, each between half of that and all of it by chance, and never shorter than the service
 * asks. An answer that was cut or blocked is an answer.
 *
 * Rejects with a CriteriaError CALL_FAILED that says to whom, why, and after how many attempts; what was thrown is its
 * `cause`. CriteriaErrors pass as they are, so retries around retries do not multiply.
 *
 * @param options.own How the service that is asked wants to be asked again.
 * @param options.down Where it aborts, no attempt is waited for any more.
 */
export async function retrying<T>(
  attempt: Attempt<T>,
  signal: AbortSignal,
  target: string,
  options: RetryOptions & { readonly own?: ServiceRetries | undefined; readonly down?: AbortSignal | undefined } = {},
): Promise<T> {
  const { own, down, firstDelay = 5_000, longestDelay = 120_000, onEvent } = options;
  const maxRetries = options.maxRetries ?? own?.maxRetries ?? callDefaults.maxRetries;
  for (let made = 1; ; made += 1) {
    signal.throwIfAborted();
    try {
      return await attempt(signal);
    } catch (error) {
      signal.throwIfAborted();
      if (CriteriaError.is(error) && error.code !== 'TIMEOUT') throw error;
      const failure = classifyFailure(error, signal);
      if (!mayPass(failure, own) || made > maxRetries) throw callFailed(target, failure, error, made);
      const growing = Math.min(longestDelay, firstDelay * 2 ** (made - 1)) * (0.5 + Math.random() / 2);
      const wait = Math.round(Math.max(own?.delay(made) ?? growing, failure.retryAfter ?? 0));
      const { kind, message: reason } = failure;
      emit(onEvent, { type: 'retrying', target, attempt: made + 1, of: maxRetries + 1, wait, kind, reason });
      await sleep(wait, signal, ...(down === undefined ? [] : [down]));
    }
  }
}

/** What is used up for today does not come back, whatever a service says of its status. */
function mayPass({ status, kind, retryable, retryAfter = 0 }: Failure, own: ServiceRetries | undefined): boolean {
  if (own === undefined || status === undefined || status < 300) return retryable;
  return own.statuses.includes(status) && kind !== 'quota' && retryAfter <= LONGEST_WAIT;
}

function callFailed(to: string, { message }: Failure, cause: unknown, made: number): CriteriaError {
  const what = message.startsWith(to) ? message : `${to}: ${message}`;
  const times = made === 1 ? '' : ` (${made} attempts)`;
  return new CriteriaError({ code: 'CALL_FAILED', message: `${what}${times}` }, { cause });
}

/** Waits; rejects with the reason of the first signal that aborts. */
function sleep(milliseconds: number, ...signals: readonly AbortSignal[]): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const slept = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  return signals.reduce((until, signal) => untilAborted(() => until, signal), slept).finally(() => clearTimeout(timer));
}
