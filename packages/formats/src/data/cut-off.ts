import { isObject } from '../json.ts';
import { fieldOf } from '../schema/spelling.ts';

/**
 * Finds out from ADK's events why an answer is truncated: `interrupted`, or `MAX_TOKENS` for the token limit. Returns
 * `null` if it is complete, as far as the events tell.
 *
 * @param events The turn's events, in either spelling.
 * @param answer The event with the answer. Default: the last one that is not partial.
 */
export function cutOffIn(events: readonly unknown[], answer?: unknown): 'interrupted' | 'MAX_TOKENS' | null {
  const own = events.filter(isObject).filter((event) => String(fieldOf(event, 'author')).toLowerCase() !== 'user');
  const isPiece = (event: object | undefined) => event !== undefined && fieldOf(event, 'partial') === true;
  const found = answer === undefined ? -1 : own.indexOf(answer as (typeof own)[number]);
  let first = found < 0 ? own.findLastIndex((event) => !isPiece(event)) : found;
  // Partial events before the answer belong to it, and a later event may report an interruption.
  while (first > 0 && isPiece(own[first - 1])) first -= 1;
  const last = own.slice(Math.max(first, 0));
  if (last.some((event) => fieldOf(event, 'interrupted') === true)) return 'interrupted';
  return last.some((event) => fieldOf(event, 'finishReason') === 'MAX_TOKENS') ? 'MAX_TOKENS' : null;
}
