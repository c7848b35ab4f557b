import { costOf, type Prices, type RunCall } from '@agent-criteria/results';
import type { EndedCall } from './record-calls.ts';

/**
 * A call as records hold it.
 *
 * @param name Gives the name of a text, and keeps it where texts are kept.
 */
export function toRunCall(
  call: EndedCall,
  request: unknown,
  answer: unknown,
  name: (value: unknown) => string,
  prices: Prices | undefined,
): RunCall {
  const cost = costOf(call, prices);
  return {
    ...call,
    cost,
    request: name(request),
    answer: answer === undefined ? undefined : name(answer),
  };
}
