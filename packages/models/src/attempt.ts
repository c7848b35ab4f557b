import { noAnswerWithin, openTimeLimit, untilAborted } from '@agent-criteria/calls';
import { holding } from './reentrancy.ts';

/** One attempt at a call. It may be repeated, so each must start from scratch. The signal aborts it. */
export type Attempt<T> = (signal: AbortSignal) => Promise<T>;

/**
 * Limits an attempt to this many milliseconds, not counting the time spent in nested calls. An attempt that takes too
 * long is aborted, and the promise rejects with a CriteriaError TIMEOUT, which retries treat as temporary. It rejects
 * in time even if the attempt ignores its signal.
 */
export async function attemptInTime<T>(
  attempt: Attempt<T>,
  signal: AbortSignal,
  milliseconds: number,
  to: string,
): Promise<T> {
  const limit = openTimeLimit({ signal, milliseconds, tooLate: () => noAnswerWithin(milliseconds, to) });
  try {
    return await holding(limit, () => untilAborted(() => attempt(limit.signal), limit.signal));
  } finally {
    limit.end();
  }
}
