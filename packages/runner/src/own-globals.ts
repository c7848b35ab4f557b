/** Milliseconds since the epoch, taken before an agent is loaded, which may replace the clock. */
export const { now: timeNow } = Date;
