import type { ModelRequest } from '@agent-criteria/core';

/** A request apart from which sample it is. */
export function requestOf({ sample, ...request }: ModelRequest): {
  readonly request: unknown;
  readonly sample: number;
} {
  return { request, sample };
}
