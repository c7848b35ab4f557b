// Captured before an agent is loaded, because agents may replace globals.

/** Milliseconds since the epoch. */
export const { now: timeNow } = Date;

const { bigint: nanoseconds } = process.hrtime;

/**
 * Monotonic clock, in milliseconds. Avoids `performance`, whose first use loads modules that take a tenth as long to
 * load as core.
 */
export const steadyNow = (): number => Number(nanoseconds()) / 1e6;

export const { setInterval: startInterval, clearInterval: endInterval } = globalThis;
