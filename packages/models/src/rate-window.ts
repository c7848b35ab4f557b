import type { CallPolicyOptions } from './call-policy-options.ts';

const MINUTE = 60_000;

/** The reason why a call has to wait although the concurrency limit is not reached. */
export type WaitReason = 'service' | 'requests-per-minute' | 'tokens-per-minute';

/** A call in the window. Its tokens are corrected once the answer arrives. */
export interface StartedCall {
  readonly at: number;
  tokens: number;
}

/**
 * Creates a sliding window of one minute over calls and their tokens, which is how providers count "per minute". The
 * window decides when the next call may start. Times are in milliseconds, from any single clock.
 */
export function openRateWindow({
  requestsPerMinute,
  tokensPerMinute,
}: Pick<CallPolicyOptions, 'requestsPerMinute' | 'tokensPerMinute'>) {
  const isLimited = requestsPerMinute !== undefined || tokensPerMinute !== undefined;
  let started: StartedCall[] = [];
  let heldUntil = 0;
  let paceUntil = 0;

  /**
   * Returns the milliseconds until this amount fits into the window. A call that is larger than the window runs alone.
   */
  function waitUntilFits(
    most = Infinity,
    amount: number,
    amountOf: (call: StartedCall) => number,
    now: number,
  ): number {
    let sum = started.reduce((total, call) => total + amountOf(call), 0);
    let wait = 0;
    for (const call of started) {
      if (sum + amount <= most) break;
      sum -= amountOf(call);
      wait = call.at + MINUTE - now;
    }
    return wait;
  }

  return {
    /** Holds back all calls until this time. */
    holdUntil(at: number): void {
      heldUntil = Math.max(heldUntil, at);
    },
    /**
     * Returns the milliseconds until a call with this many tokens may start, or 0 if it may start now. `reason` is
     * `null` if it waits for nothing, or only to keep an even pace.
     */
    waitFor(tokens: number, now: number): { readonly wait: number; readonly reason: WaitReason | null } {
      started = started.filter(({ at }) => at + MINUTE > now);
      const waits = [
        ['service', heldUntil - now],
        ['requests-per-minute', waitUntilFits(requestsPerMinute, 1, () => 1, now)],
        ['tokens-per-minute', waitUntilFits(tokensPerMinute, tokens, (call) => call.tokens, now)],
      ] as const;
      const [reason, wait] = waits.reduce((longest, one) => (one[1] > longest[1] ? one : longest));
      return { wait: Math.max(0, wait, paceUntil - now), reason: wait > 0 ? reason : null };
    },
    /** Adds a call to the window. @param interval The milliseconds before the next call may start. */
    start(tokens: number, interval: number, now: number): StartedCall {
      const call = { at: now, tokens };
      if (isLimited) started.push(call);
      paceUntil = Math.max(paceUntil, now) + interval;
      return call;
    },
  };
}
