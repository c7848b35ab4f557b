import type { Json } from '@agent-criteria/core';

/**
 * Sends the body of an `evaluateInstances` request of `v1beta1` and gives the JSON that comes back; rejects when the signal aborts,
 * and with an error that has `status` when the service says no. Write one for credentials of your own; it makes one attempt.
 */
export type EvaluationTransport = (body: Json, signal: AbortSignal) => Promise<unknown>;
