import { onAbort } from '@agent-criteria/calls';
import type { Suspendable } from './reentrancy.ts';

interface SemaphoreOptions<Call> {
  /** Returns the number of calls that may currently run at once. */
  limit(): number;
  /**
   * Decides whether the first call in line may start. Returns 0 if so, otherwise the milliseconds after which to ask
   * again.
   */
  admit(call: Call): number;
}

interface Holder<Call> {
  readonly call: Call;
  state: 'waiting' | 'running' | 'suspended' | 'released';
  grant(): void;
}

/**
 * Creates a semaphore whose permits can be suspended. First come, first served; calls that resume go before all others.
 *
 * @returns A function that creates a call's permit.
 */
export function openSemaphore<Call>({ limit, admit }: SemaphoreOptions<Call>) {
  const waiting = new Set<Holder<Call>>();
  const resuming = new Set<Holder<Call>>();
  let running = 0;
  /** Set while the first call in line is not admitted although permits are free. */
  let timer: ReturnType<typeof setTimeout> | undefined;

  function grantNext(): void {
    clearTimeout(timer);
    timer = undefined;
    while (running < limit()) {
      const [next] = resuming.size > 0 ? resuming : waiting;
      if (next === undefined) return;
      const wait = resuming.has(next) ? 0 : admit(next.call);
      if (wait > 0) {
        // Timers fire up to a millisecond early.
        timer = setTimeout(grantNext, Math.ceil(wait) + 1);
        return;
      }
      resuming.delete(next);
      waiting.delete(next);
      running += 1;
      next.state = 'running';
      next.grant();
    }
  }

  function acquire(holder: Holder<Call>, signal: AbortSignal): Promise<void> | undefined {
    waiting.add(holder);
    if (timer === undefined) grantNext();
    if (holder.state === 'running') return undefined;
    return new Promise((resolve, reject) => {
      const forget = onAbort(signal, () => {
        waiting.delete(holder);
        // The next call in line may be admitted even though this one was not.
        grantNext();
        reject(signal.reason);
      });
      holder.grant = () => {
        forget();
        resolve();
      };
    });
  }

  function suspend(holder: Holder<Call>): void {
    if (resuming.delete(holder)) holder.grant();
    else if (holder.state === 'running') {
      holder.state = 'suspended';
      running -= 1;
      grantNext();
    }
  }

  function resume(holder: Holder<Call>, signal: AbortSignal): Promise<void> | undefined {
    if (holder.state !== 'suspended' || resuming.has(holder) || signal.aborted) return undefined;
    return new Promise((resolve) => {
      const forget = onAbort(signal, () => {
        resuming.delete(holder);
        resolve();
      });
      holder.grant = () => {
        forget();
        resolve();
      };
      resuming.add(holder);
      grantNext();
    });
  }

  function release(holder: Holder<Call>): void {
    if (holder.state === 'running') running -= 1;
    if (resuming.delete(holder)) holder.grant();
    holder.state = 'released';
    grantNext();
  }

  return (call: Call) => {
    const holder: Holder<Call> = { call, state: 'waiting', grant: () => undefined };
    return {
      /**
       * Waits for the permit, or rejects if the signal aborts first. Returns `undefined` if the permit is granted at
       * once.
       */
      acquire: (signal: AbortSignal) => acquire(holder, signal),
      /** Lends the permit to others while nested calls run. */
      suspendable: (signal: AbortSignal): Suspendable => ({
        suspend: () => suspend(holder),
        resume: () => resume(holder, signal),
      }),
      /** May be called repeatedly. */
      release: () => release(holder),
    };
  };
}
