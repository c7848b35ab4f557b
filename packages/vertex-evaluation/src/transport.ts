import type { Json } from '@agent-criteria/core';

/**
 * Sends the body of an `evaluateInstances` request of `v1beta1` and returns the JSON of the answer. Rejects when the
 * signal aborts, and with an error that has a `status` if the service refuses. It makes one attempt. Write one to use
 * credentials of your own.
 */
export type EvaluationTransport = (body: Json, signal: AbortSignal) => Promise<unknown>;
