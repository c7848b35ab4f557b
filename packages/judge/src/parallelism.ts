import pLimit, { type LimitFunction } from 'p-limit';

const limits = new WeakMap<object, Map<number, LimitFunction>>();

/**
 * Returns a limit that all turns of a conversation share.
 *
 * @param conversation Any object that is the same for all turns of the conversation.
 * @param limit `undefined` for no separate limit.
 */
export function limitFor(conversation: object, limit: number | undefined): <T>(work: () => Promise<T>) => Promise<T> {
  if (limit === undefined) return (work) => work();
  const own = limits.get(conversation) ?? new Map<number, LimitFunction>();
  limits.set(conversation, own);
  const found = own.get(limit) ?? pLimit(limit);
  own.set(limit, found);
  return found;
}
