import { setImmediate } from 'node:timers/promises';

/**
 * The longest time in milliseconds without a pause. Requests are only sent during pauses, so a longer time would bunch
 * them up.
 */
const LONGEST_STRETCH = 5;

/**
 * Schedules the pauses shared by all workers, because agents that never wait would block sockets, timers and signals
 * until the end.
 *
 * @returns A function that returns a pause to await if one is due.
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
