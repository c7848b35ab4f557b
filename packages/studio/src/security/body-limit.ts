import type { MiddlewareHandler } from 'hono';
import { refusal } from '../http/refusal.ts';

/** Refuses large bodies before they are read. Node enforces that bodies match their declared length. */
export function bodyLimit(maxBodyBytes: number): MiddlewareHandler {
  return async (c, next) => {
    if (c.req.header('transfer-encoding') !== undefined) {
      throw refusal(411, 'Send the length of the body (Content-Length): streamed requests are not accepted.');
    }
    const length = Number(c.req.header('content-length') ?? 0);
    if (length > maxBodyBytes) {
      throw refusal(413, tooLarge(length, maxBodyBytes));
    }
    return next();
  };
}

function tooLarge(length: number, most: number): string {
  return `The request has ${sizeOf(length)}, and at most ${sizeOf(most)} are accepted: send it in parts, or edit the file itself.`;
}

function sizeOf(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  if (bytes < 1_000_000) return `${Math.round(bytes / 1000)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
