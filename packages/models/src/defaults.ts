/** Defaults for calls to models and paid services. Times are in milliseconds. */
export const callDefaults = {
  concurrency: {
    /** The number of concurrent calls to one model or service. */
    calls: 16,
  },
  /** The maximum duration of one attempt. */
  callTimeout: 120_000,
  /** The maximum number of retries: seven attempts in all, as in ADK. */
  maxRetries: 6,
  /** The folder of cached answers, in the working folder. */
  cache: '.agent-criteria/cache',
} as const;
