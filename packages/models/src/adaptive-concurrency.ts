/**
 * Creates a limit on concurrent calls that adapts to the service. It has no clock and makes no calls. The limit is
 * halved when the service is too busy, once for all calls of an epoch, and raised by one after every round of answers.
 *
 * @param most The initial and highest limit.
 */
export function openAdaptiveConcurrency(most: number) {
  let limit = most;
  let epoch = 0;
  /** Answers since the limit last changed. */
  let answered = 0;
  return {
    limit: () => limit,
    /** Returns how often the limit has been halved. A call belongs to the epoch in which it started. */
    epoch: () => epoch,
    /** Records that the service could not keep up with a call of this epoch. Returns whether the limit changed. */
    slowDown(of: number): boolean {
      // Calls that started before the limit was halved say nothing about the new one.
      if (of !== epoch) return false;
      epoch += 1;
      answered = 0;
      if (limit === 1) return false;
      limit = Math.max(1, Math.floor(limit / 2));
      return true;
    },
    /** Records an answer. Returns whether the limit changed. */
    speedUp(): boolean {
      answered += 1;
      if (limit >= most || answered < limit) return false;
      answered = 0;
      limit += 1;
      return true;
    },
  };
}
