import { createHash } from 'node:crypto';
import type { Json } from '@agent-criteria/core';
import { stringifyJson } from '@agent-criteria/formats';
import { refusal } from './refusal.ts';

/** Computes the entity tag of a case, a set or a config from its content. */
export function versionOf(value: object): string {
  return `"${createHash('sha256')
    .update(stringifyJson(value as Json))
    .digest('base64url')
    .slice(0, 27)}"`;
}

/**
 * Requires the version that a change is based on.
 * @param seen The `If-Match` header.
 * @param what Noun used in the message, such as "the case".
 * @throws A 428 refusal.
 */
export function seenVersion(seen: string | undefined, what: string): string {
  if (seen !== undefined) return seen;
  const detail = `Send the version of ${what} that was opened as If-Match, so that no change made elsewhere is lost.`;
  throw refusal(428, detail);
}
