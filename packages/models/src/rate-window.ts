import type { CallPolicyOptions } from './call-policy-options.ts';

const MINUTE = 60_000;

/** The reason why a call waits although fewer than the limit run. */
export type WaitReason = 'service' | 'requests-per-minute' | 'tokens-per-minute';

/** A call in the window. Its tokens are corrected when its answer is there. */
export interface StartedCall {
  readonly at: number;
  tokens: number;
}

/**
 * Opens a sliding window of one minute over calls and their tokens, which is what providers count as "per minute". It decides
 * when the next call may start. Times are milliseconds of any one clock.
 */
export function openRateWindow({
  requestsPerMinute,
  tokensPerMinute,
}: Pick<CallPolicyOptions, 'requestsPerMinute' | 'tokensPerMinute'>) {
  const isLimited = requestsPerMinute !== undefined || tokensPerMinute !== undefined;
  let started: StartedCall[] = [];
  let heldUntil = 0;
  let paceUntil = 0;

  /** Milliseconds until this much fits into the window. A call that is larger than the window goes alone. */
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
    /** Lets no call start before this time. */
    holdUntil(at: number): void {
      heldUntil = Math.max(heldUntil, at);
    },
    /**
     * Returns the milliseconds until a call of so many tokens may start, 0 for now. `reason` is `null` if it waits for nothing, or
     * only for its turn in an even pace.
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
    /** Adds a call to the window. @param interval Milliseconds before the next one may start. */
    start(tokens: number, interval: number, now: number): StartedCall {
      const call = { at: now, tokens };
      if (isLimited) started.push(call);
      paceUntil = Math.max(paceUntil, now) + interval;
      return call;
    },
  };
}
