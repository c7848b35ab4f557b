/** How many calls may run at once, as the service bears it. Knows no time and makes no calls. */
export interface Throttle {
  limit(): number;
  /** How often it has slowed down. A call belongs to the epoch in which it began. */
  epoch(): number;
  /** The service could not keep up with a call of this epoch. @returns whether fewer calls run at once from now on. */
  slowDown(epoch: number): boolean;
  /** A call was answered. @returns whether one more runs at once from now on. */
  speedUp(): boolean;
}

/**
 * Halves when the service is too busy, once for all calls of an epoch, and adds one for every round of answers.
 *
 * @param most The limit at first, and the highest.
 */
export function openThrottle(most: number): Throttle {
  let limit = most;
  let epoch = 0;
  /** Answers since the limit changed last. */
  let answered = 0;
  return {
    limit: () => limit,
    epoch: () => epoch,
    slowDown(of) {
      // Calls that had begun before the limit was halved say nothing about the new one.
      if (of !== epoch) return false;
      epoch += 1;
      answered = 0;
      if (limit === 1) return false;
      limit = Math.max(1, Math.floor(limit / 2));
      return true;
    },
    speedUp() {
      answered += 1;
      if (limit >= most || answered < limit) return false;
      answered = 0;
      limit += 1;
      return true;
    },
  };
}
