import { setImmediate } from 'node:timers/promises';

/**
 * The longest time in milliseconds between two pauses. Requests are only sent during pauses, so a longer interval would
 * send them in bursts.
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
