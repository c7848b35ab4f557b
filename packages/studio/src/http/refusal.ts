import type { Context } from 'hono';
import { HTTPException } from 'hono/http-exception';

/** Statuses of refused requests. */
export type RefusalStatus = 400 | 401 | 403 | 404 | 409 | 411 | 412 | 413 | 422 | 428 | 500 | 501 | 502;

/** Creates the error that refuses a request, with a body in the form of FastAPI. @param more Fields next to `detail`. */
export function refusal(status: RefusalStatus, detail: unknown, more: object = {}): HTTPException {
  const message = typeof detail === 'string' ? detail : JSON.stringify(detail);
  return new HTTPException(status, { message, res: Response.json({ detail, ...more }, { status }) });
}

/** Reads the body of a request as JSON; `null` if it is empty. @throws A refusal, 422. */
export async function readBody(c: Context): Promise<unknown> {
  const text = await c.req.text();
  if (text.trim() === '') return null;
  try {
    return JSON.parse(text);
  } catch (error) {
    throw refusal(422, [{ type: 'json_invalid', loc: ['body'], msg: (error as Error).message }]);
  }
}
