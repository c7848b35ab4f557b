import { isObject } from '../json.ts';
import { fieldOf } from '../schema/spelling.ts';

/**
 * Why the answer of a turn is not whole, as ADK's events say it: `interrupted`, or `MAX_TOKENS` where the model ran into its
 * limit. `null`: it is whole, as far as they say.
 *
 * @param events The turn's events, in either spelling.
 * @param answer The one that has the answer. Default: the last one that is no piece of another.
 */
export function cutOffIn(events: readonly unknown[], answer?: unknown): 'interrupted' | 'MAX_TOKENS' | null {
  const own = events.filter(isObject).filter((event) => String(fieldOf(event, 'author')).toLowerCase() !== 'user');
  const isPiece = (event: object | undefined) => event !== undefined && fieldOf(event, 'partial') === true;
  const found = answer === undefined ? -1 : own.indexOf(answer as (typeof own)[number]);
  let first = found < 0 ? own.findLastIndex((event) => !isPiece(event)) : found;
  // Events that streamed before the answer are its pieces; an event after it may say that it was interrupted.
  while (first > 0 && isPiece(own[first - 1])) first -= 1;
  const last = own.slice(Math.max(first, 0));
  if (last.some((event) => fieldOf(event, 'interrupted') === true)) return 'interrupted';
  return last.some((event) => fieldOf(event, 'finishReason') === 'MAX_TOKENS') ? 'MAX_TOKENS' : null;
}
