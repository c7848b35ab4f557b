import { CriteriaError } from '@agent-criteria/core';
import { formatProblem } from '@agent-criteria/core/host';
import type { Context } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { type RefusalStatus, refusal } from './refusal.ts';

const STATUSES: Readonly<Partial<Record<string, RefusalStatus>>> = {
  FILE_NOT_FOUND: 404,
  AGENT_NOT_FOUND: 404,
  UNKNOWN_CASE: 404,
  WRITE_FAILED: 409,
  NOT_SUPPORTED: 409,
  AGENT_FAILED: 500,
};

/** What was thrown as an answer: refusals as they are, mistakes in files and requests by their codes, anything else as 500. */
export function answerError(error: unknown, c: Context): Response {
  const { res } = asRefusal(error);
  // With the headers that every answer has.
  return c.newResponse(res?.body ?? null, res);
}

function asRefusal(error: unknown): HTTPException {
  if (error instanceof HTTPException) return error;
  if (CriteriaError.is(error)) {
    return refusal(STATUSES[error.code] ?? 400, error.problems.map(formatProblem).join('\n'));
  }
  const reason = error instanceof Error ? error.message : String(error);
  return refusal(500, `agent-criteria studio failed: ${reason}`);
}
