// Taken before an agent is loaded, which may replace them.

/** Milliseconds since the epoch. */
export const { now: timeNow } = Date;

const { bigint: nanoseconds } = process.hrtime;

/**
 * Milliseconds that only grow, also when the clock of the machine is set. Not by `performance`, which is loaded at its first use,
 * with modules that take as long as a tenth of core.
 */
export const steadyNow = (): number => Number(nanoseconds()) / 1e6;

export const { setInterval: startInterval, clearInterval: endInterval } = globalThis;
