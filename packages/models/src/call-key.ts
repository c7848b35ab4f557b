import { sha256 } from '@agent-criteria/calls';
import type { Json } from '@agent-criteria/core';
import { stringifyJson } from '@agent-criteria/formats';

/** The parts of a call that determine its answer. */
export interface CallIdentity {
  readonly kind: 'model' | 'service';
  /** The id of the model, or the name of the service. */
  readonly target: string;
  /** The request as JSON, without the sample. */
  readonly request: unknown;
  /** The repeat. Repeats are independent, so each has its own answers. */
  readonly repeat: number;
  readonly sample: number;
}

/** Computes the key under which a call's answer is stored: the SHA-256 of its canonical JSON, in hex. */
export function callKey({ kind, target, request, repeat, sample }: CallIdentity): string {
  return sha256(canonicalJson({ kind, to: target, request, repeat, sample }));
}

/** Returns the key in a cache, which keeps a service's endpoints apart. `undefined` is the service itself. */
export function keyAt(key: string, endpoint: string | undefined): string {
  return endpoint === undefined ? key : sha256(`${key} ${endpoint}`);
}

/** Serialises a value with sorted keys, so that equal values give equal text. */
export function canonicalJson(value: unknown): string {
  return stringifyJson(value, (_key, inner: unknown) => inOrder(inner));
}

function inOrder(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value as Record<string, Json>).sort(([a], [b]) => (a < b ? -1 : 1)));
}
