/** The default run settings. Times are in milliseconds. */
export const runDefaults = {
  /** How many times each case runs, each time in its own session. */
  repeats: 1,
  concurrency: {
    /** How many sessions may be open at once. */
    agents: 4,
    /**
     * How many conversations are scored at once. Without call policies, this also limits concurrent calls by criteria.
     */
    scoring: 16,
  },
  /** How long one turn may take. */
  turnTimeout: 300_000,
  /** How long a criterion may take for one turn or conversation, not counting calls to models and services. */
  criterionTimeout: 300_000,
  /**
   * How long a process may go without renewing its lease on a run folder before another process may take the folder
   * over.
   */
  lease: 30_000,
} as const;

/** The largest number of repeats in one run. A plan that asks for more is a mistake, or was tampered with. */
export const MOST_REPEATS = 10_000;
