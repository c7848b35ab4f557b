import { createHash } from 'node:crypto';
import type { EvalCase, Json } from '@agent-criteria/core';
import { stringifyJson } from '@agent-criteria/formats';

/** Computes the version of a case from its content, so that an edit of an older one is noticed. */
export function versionOf(evalCase: EvalCase): string {
  return createHash('sha256')
    .update(stringifyJson(evalCase as unknown as Json))
    .digest('hex')
    .slice(0, 16);
}
