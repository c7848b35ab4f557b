import { CriteriaError } from '@agent-criteria/core';

/** The same failure of a call, with how many requests were sent for it. What is no failure of the call itself stays as it is. */
export function withRequests(error: unknown, requests: number): unknown {
  if (!CriteriaError.is(error) || (error.code !== 'CALL_FAILED' && error.code !== 'TIMEOUT')) return error;
  const { problems, cause, warnings } = error;
  return new CriteriaError(problems, { ...(cause === undefined ? {} : { cause }), warnings, requests });
}
