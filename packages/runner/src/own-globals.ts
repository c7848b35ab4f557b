// Taken before an agent is loaded, which may replace them.

/** Milliseconds since the epoch. */
export const { now: timeNow } = Date;

/** Milliseconds that only grow, also when the clock of the machine is set. */
export const steadyNow: () => number = performance.now.bind(performance);

export const { setInterval: startInterval, clearInterval: endInterval } = globalThis;
