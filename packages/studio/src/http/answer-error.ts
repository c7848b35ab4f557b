import { CriteriaError } from '@agent-criteria/core';
import { formatProblem, isObject } from '@agent-criteria/formats';
import type { SecretMask } from '@agent-criteria/masking';
import type { Context } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { type RefusalStatus, refusal } from './refusal.ts';
import { isPageLoad, refusedPage } from './refused-page.ts';

const STATUSES: Readonly<Partial<Record<string, RefusalStatus>>> = {
  FILE_NOT_FOUND: 404,
  AGENT_NOT_FOUND: 404,
  UNKNOWN_CASE: 404,
  RUN_NOT_FOUND: 404,
  RUN_LOCKED: 409,
  WRITE_FAILED: 409,
  NOT_SUPPORTED: 409,
  AGENT_FAILED: 500,
};

/**
 * Converts a thrown error to a response without secrets, for a browser that opens an address to a page: refusals stay as they are, CriteriaErrors get a status
 * according to their code, and anything else becomes a 500.
 */
export function answerError(mask: SecretMask): (error: unknown, c: Context) => Promise<Response> {
  return async (error, c) => {
    const { res, status, message } = asRefusal(error);
    if (isPageLoad(c)) return refusedPage(c, status, mask.text(message));
    // Keeps the security headers.
    return c.newResponse(res === undefined ? null : masked(await res.text(), mask), res);
  };
}

/** Masks only `detail`, because other fields contain file contents, which must stay unchanged for editing. */
function masked(body: string, mask: SecretMask): string {
  let answer: unknown;
  try {
    answer = JSON.parse(body);
  } catch {
    return mask.text(body);
  }
  return JSON.stringify(isObject(answer) ? { ...answer, detail: mask.json(answer.detail) } : answer);
}

/** Converts anything thrown to a refusal: a CriteriaError with a status according to its code. */
export function asRefusal(error: unknown): HTTPException {
  if (error instanceof HTTPException) return error;
  if (CriteriaError.is(error)) {
    return refusal(STATUSES[error.code] ?? 400, error.problems.map(formatProblem).join('\n'));
  }
  const reason = error instanceof Error ? error.message : String(error);
  return refusal(500, `agent-criteria studio failed: ${reason}`);
}
