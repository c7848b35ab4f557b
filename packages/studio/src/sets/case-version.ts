import { createHash } from 'node:crypto';
import type { Json } from '@agent-criteria/core';
import { stringifyJson } from '@agent-criteria/formats';

/** What a case or a set says, as an entity tag: another content is another version. */
export function versionOf(value: object): string {
  return `"${createHash('sha256')
    .update(stringifyJson(value as Json))
    .digest('base64url')
    .slice(0, 27)}"`;
}
