import { CriteriaError } from '@agent-criteria/core';

/**
 * What `work` gives, or a TIMEOUT error after `milliseconds`, or the signal's reason when it aborts. The work itself
 * cannot be stopped from outside: whoever owns it aborts its own signal.
 */
export async function within<T>(work: Promise<T>, milliseconds: number, what: string, signal: AbortSignal): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let onAbort: (() => void) | undefined;
  const cut = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      const message = `${what} took longer than ${formatMilliseconds(milliseconds)}`;
      reject(new CriteriaError({ code: 'TIMEOUT', message }));
    }, milliseconds);
    onAbort = () => reject(signal.reason);
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
  });
  // A late rejection of work that lost the race is nobody's.
  work.catch(() => undefined);
  try {
    return await Promise.race([work, cut]);
  } finally {
    clearTimeout(timer);
    if (onAbort) signal.removeEventListener('abort', onAbort);
  }
}

function formatMilliseconds(milliseconds: number): string {
  return milliseconds >= 1000 ? `${milliseconds / 1000} s` : `${milliseconds} ms`;
}
