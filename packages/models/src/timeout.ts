import { noAnswerWithin, openTimeLimit, untilAborted } from '@agent-criteria/calls';
import type { Attempt } from './attempt.ts';
import { holding } from './nesting.ts';

/** Milliseconds that one attempt may take when nothing else is said. */
export const DEFAULT_TIMEOUT = 120_000;

/**
 * Gives an attempt so many milliseconds; time that calls inside of it take is not counted. An attempt that takes too long is
 * aborted, and this rejects with a CriteriaError TIMEOUT, which retries take for a passing failure. Whether or not the
 * attempt listens to its signal, this ends in time.
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
