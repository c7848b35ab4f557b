/**
 * Opens a limit for concurrent calls that adapts to the service. It has no clock and makes no calls. It halves the limit when the service is too busy, once for all calls of an epoch, and adds one for every round of answers.
 *
 * @param most The first and highest limit.
 */
export function openAdaptiveConcurrency(most: number) {
  let limit = most;
  let epoch = 0;
  /** Answers since the last change of the limit. */
  let answered = 0;
  return {
    limit: () => limit,
    /** How often it has slowed down. A call belongs to the epoch in which it started. */
    epoch: () => epoch,
    /** Notes that the service could not keep up with a call of this epoch. Returns whether the limit changed. */
    slowDown(of: number): boolean {
      // Calls that started before the limit was halved say nothing about the new one.
      if (of !== epoch) return false;
      epoch += 1;
      answered = 0;
      if (limit === 1) return false;
      limit = Math.max(1, Math.floor(limit / 2));
      return true;
    },
    /** Notes an answer. Returns whether the limit changed. */
    speedUp(): boolean {
      answered += 1;
      if (limit >= most || answered < limit) return false;
      answered = 0;
      limit += 1;
      return true;
    },
  };
}
