import { setImmediate } from 'node:timers/promises';

/**
 * Milliseconds that work may go on without a pause. Calls leave the process in pauses: with long ones all begin late, and
 * come back at once.
 */
const LONGEST_STRETCH = 5;

/**
 * Agents that wait for nothing would keep sockets, timers and signals out until the end: all workers pause now and then.
 *
 * @returns a function that gives a pause to wait for when one is due.
 */
export function pauses(): () => Promise<void> | null {
  let paused = performance.now();
  let pause: Promise<void> | null = null;
  return () => {
    if (pause === null && performance.now() - paused > LONGEST_STRETCH) {
      pause = setImmediate().then(() => {
        paused = performance.now();
        pause = null;
      });
    }
    return pause;
  };
}
