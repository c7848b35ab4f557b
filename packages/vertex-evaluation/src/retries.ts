import type { ServiceRetries } from '@agent-criteria/core';

/** The retries of Google's Python SDK: five attempts, after 1, 2, 4 and 8 seconds plus a random part of a second. */
export const evaluationRetries: ServiceRetries = {
  statuses: [408, 409, 429, 499, 500, 502, 503, 504],
  maxRetries: 4,
  delay: (failed) => (2 ** (failed - 1) + Math.random()) * 1000,
};
