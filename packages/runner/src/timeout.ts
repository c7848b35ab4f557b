import { CriteriaError } from '@agent-criteria/core';

/** Node's timers hold no more milliseconds than this (25 days); a longer one would fire at once. */
const LONGEST = 2 ** 31 - 1;

export interface Limit {
  /** `Infinity`: no limit but the signal. */
  readonly milliseconds: number;
  /** The limit that the error names, when `milliseconds` is what is left of it. */
  readonly of?: number;
  /** Who works, for the error: "the agent". */
  readonly who: string;
  readonly signal: AbortSignal;
  /** Milliseconds that the work may still take after the signal. Default 0. */
  readonly grace?: number;
}

/**
 * What `work` gives, or a TIMEOUT error when it takes too long, or the signal's reason when that aborts. The work itself
 * cannot be stopped from outside: whoever owns it aborts its own signal.
 */
export async function within<T>(work: () => T | PromiseLike<T>, limit: Limit): Promise<T> {
  const { milliseconds, of = milliseconds, who, signal, grace = 0 } = limit;
  const timers: ReturnType<typeof setTimeout>[] = [];
  let onAbort = (): void => undefined;
  const cut = new Promise<never>((_resolve, reject) => {
    const late = (): void => {
      const message = `${who} took longer than ${formatMilliseconds(of)}`;
      reject(new CriteriaError({ code: 'TIMEOUT', message }));
    };
    if (milliseconds !== Number.POSITIVE_INFINITY) timers.push(setTimeout(late, Math.min(milliseconds, LONGEST)));
    onAbort = () => {
      if (grace === 0) reject(signal.reason);
      else timers.push(setTimeout(() => reject(signal.reason), grace));
    };
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
  });
  try {
    return await Promise.race([(async () => work())(), cut]);
  } finally {
    for (const timer of timers) clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}

/** What `work` gives, or the signal's reason when that aborts first. */
export function untilAborted<T>(work: () => T | PromiseLike<T>, signal: AbortSignal): Promise<T> {
  return within(work, { milliseconds: Number.POSITIVE_INFINITY, who: 'it', signal });
}

function formatMilliseconds(milliseconds: number): string {
  return milliseconds >= 1000 ? `${milliseconds / 1000} s` : `${milliseconds} ms`;
}
