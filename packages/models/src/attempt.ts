/** One try of a call. It may be made again, so it begins from nothing; the signal tells it to give up. */
export type Attempt<T> = (signal: AbortSignal) => Promise<T>;
