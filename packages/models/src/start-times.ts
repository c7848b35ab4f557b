import { type Begun, openMinute } from './minute.ts';

/** What calls wait for although there is room. */
export type WaitReason = 'service' | 'requests-per-minute' | 'tokens-per-minute';

export interface StartLimits {
  readonly requestsPerMinute?: number | undefined;
  readonly tokensPerMinute?: number | undefined;
}

/** When the next call may begin. Times are milliseconds of any one clock. */
export interface StartTimes {
  /** Nothing begins before. */
  holdUntil(at: number): void;
  /**
   * Milliseconds until a call of so many tokens may begin; 0: it may begin now.
   * `reason`: what it waits for; `null`: nothing, or only its turn in an even pace.
   */
  waitFor(tokens: number, now: number): { readonly wait: number; readonly reason: WaitReason | null };
  /**
   * A call begins.
   *
   * @param interval Milliseconds after which the next one may.
   * @returns What it counts in the minute of tokens; `undefined`: tokens have no limit.
   */
  begin(tokens: number, interval: number, now: number): Begun | undefined;
}

export function openStartTimes({ requestsPerMinute, tokensPerMinute }: StartLimits): StartTimes {
  const requests = requestsPerMinute === undefined ? null : openMinute(requestsPerMinute);
  const tokens = tokensPerMinute === undefined ? null : openMinute(tokensPerMinute);
  let heldUntil = 0;
  let paceUntil = 0;
  return {
    holdUntil(at) {
      heldUntil = Math.max(heldUntil, at);
    },
    waitFor(amount, now) {
      const waits = [
        ['service', heldUntil - now],
        ['requests-per-minute', requests?.waitFor(1, now) ?? 0],
        ['tokens-per-minute', tokens?.waitFor(amount, now) ?? 0],
      ] as const;
      const [reason, wait] = waits.reduce((longest, one) => (one[1] > longest[1] ? one : longest));
      return { wait: Math.max(0, wait, paceUntil - now), reason: wait > 0 ? reason : null };
    },
    begin(amount, interval, now) {
      requests?.begin(1, now);
      paceUntil = Math.max(paceUntil, now) + interval;
      return tokens?.begin(amount, now);
    },
  };
}
