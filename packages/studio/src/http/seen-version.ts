import type { Context } from 'hono';
import { refusal } from './refusal.ts';

/**
 * The version that a request has seen of what it changes.
 * @param what As in "the case".
 * @throws A refusal, 428, where the request does not say.
 */
export function seenVersion(c: Context, what: string): string {
  const seen = c.req.header('if-match');
  if (seen !== undefined) return seen;
  const detail = `Send the version of ${what} that was opened as If-Match, so that no change made elsewhere is lost.`;
  throw refusal(428, detail);
}
