/** The defaults of calls to models and paid services. Times are in milliseconds. */
export const callDefaults = {
  concurrency: {
    /** How many calls to one model or service run at once. */
    calls: 16,
  },
  /** How long one attempt may take. */
  callTimeout: 120_000,
  /** How often a call is retried: seven attempts in all, as in ADK. */
  maxRetries: 6,
  /** The folder of cached answers, in the working folder. */
  cache: '.agent-criteria/cache',
} as const;
