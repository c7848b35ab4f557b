import type { MiddlewareHandler } from 'hono';
import { refusal } from '../http/refusal.ts';

/** Refuses bodies that are too large before any of them is read. Node sees to it that a body is as long as its header says. */
export function bodyLimit(maxBodyBytes: number): MiddlewareHandler {
  return async (c, next) => {
    if (c.req.header('transfer-encoding') !== undefined) {
      throw refusal(411, 'Send the length of the body (Content-Length): streamed requests are not accepted.');
    }
    if (Number(c.req.header('content-length') ?? 0) > maxBodyBytes) {
      throw refusal(413, `The request is larger than ${maxBodyBytes} bytes.`);
    }
    return next();
  };
}
