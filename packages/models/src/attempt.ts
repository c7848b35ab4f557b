/** One attempt at a call. It may be repeated, so it must start from scratch. The signal aborts it. */
export type Attempt<T> = (signal: AbortSignal) => Promise<T>;
