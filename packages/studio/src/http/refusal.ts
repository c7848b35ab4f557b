import { CriteriaError } from '@agent-criteria/core';
import type { Context } from 'hono';
import { HTTPException } from 'hono/http-exception';
import type { ApiMistake } from '../api.ts';

/** Statuses of rejected requests. */
export type RefusalStatus = 400 | 401 | 403 | 404 | 409 | 411 | 412 | 413 | 422 | 428 | 500 | 501 | 502;

/** Creates the error that rejects a request, with a body in FastAPI's format. @param more Fields next to `detail`. */
export function refusal(status: RefusalStatus, detail: unknown, more: object = {}): HTTPException {
  const message = typeof detail === 'string' ? detail : JSON.stringify(detail);
  return new HTTPException(status, { message, res: Response.json({ detail, ...more }, { status }) });
}

/** Creates the 422 refusal for one mistake in a request. @param loc Path to it, such as `['body', 'id']`. */
export function mistake(loc: ApiMistake['loc'], msg: string, type = 'value_error'): HTTPException {
  return refusal(422, [{ type, loc, msg }]);
}

/** Creates the refusal for a body that lacks a required field. */
export function missing(field: string): HTTPException {
  return mistake(['body', field], 'Field required', 'missing');
}

/**
 * Parses a part of a request.
 * @param locOf Converts the path of a mistake to its location in the request.
 * @throws A 422 refusal that lists every mistake in FastAPI's format.
 */
export function parsed<T>(parse: () => T, locOf: (path: string) => ApiMistake['loc']): T {
  try {
    return parse();
  } catch (error) {
    if (!CriteriaError.is(error)) throw error;
    const mistakes = error.problems.map(({ code, message: msg, path = '$' }) => ({
      type: code,
      loc: locOf(path),
      msg,
    }));
    throw refusal(422, mistakes);
  }
}

/** Reads the body of a request as JSON, or `null` if it is empty. @throws A 422 refusal. */
export async function readBody(c: Context): Promise<unknown> {
  const text = await c.req.text();
  if (text.trim() === '') return null;
  try {
    return JSON.parse(text);
  } catch (error) {
    throw mistake(['body'], (error as Error).message, 'json_invalid');
  }
}
