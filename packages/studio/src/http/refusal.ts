import { HTTPException } from 'hono/http-exception';

/** The statuses by which requests are refused. */
export type RefusalStatus = 400 | 401 | 403 | 404 | 409 | 411 | 412 | 413 | 422 | 428 | 500 | 501 | 502;

/** To be thrown: a request that is refused, as FastAPI says it. @param more Beside `detail`. */
export function refusal(status: RefusalStatus, detail: unknown, more: object = {}): HTTPException {
  const message = typeof detail === 'string' ? detail : JSON.stringify(detail);
  return new HTTPException(status, { message, res: Response.json({ detail, ...more }, { status }) });
}
