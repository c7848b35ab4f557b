import { sha256 } from '@agent-criteria/calls';
import type { Json } from '@agent-criteria/core';
import { stringifyJson } from '@agent-criteria/formats';

/** What a call asks for, as far as it decides the answer. */
export interface CallIdentity {
  readonly kind: 'model' | 'service';
  /** The id of the model, or the name of the service. */
  readonly target: string;
  /** JSON, without the sample. */
  readonly request: unknown;
  /** Repeats are independent: each has answers of its own. */
  readonly repeat: number;
  readonly sample: number;
}

/** SHA-256, in hex, over the canonical JSON of a call: what its answer is kept by. */
export function callKey({ kind, target, request, repeat, sample }: CallIdentity): string {
  return sha256(canonicalJson({ kind, to: target, request, repeat, sample }));
}

/** The key in a cache, which keeps the answers of different endpoints apart; `undefined`: the service itself. */
export function keyAt(key: string, endpoint: string | undefined): string {
  return endpoint === undefined ? key : sha256(`${key} ${endpoint}`);
}

/** JSON whose objects have their keys in order: the same text for the same value. */
export function canonicalJson(value: unknown): string {
  return stringifyJson(value, (_key, inner: unknown) => inOrder(inner));
}

function inOrder(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value as Record<string, Json>).sort(([a], [b]) => (a < b ? -1 : 1)));
}
