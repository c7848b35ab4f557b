import { CriteriaError } from '@agent-criteria/core';

/**
 * The same error without properties: Vitest prints them all, and would tell every problem twice.
 *
 * @param place The stack of another error, which stands for this one's. Default: its own.
 */
export function plainError(error: unknown, place?: string): unknown {
  if (!CriteriaError.is(error)) return error;
  const { message, stack = '' } = error;
  const plain = new Error(message);
  const frames = place === undefined ? framesOf(stack.replace(message, () => '')) : framesOf(place);
  return Object.defineProperty(plain, 'stack', { value: `Error: ${message}\n${frames}` });
}

/** A stack without its first line. */
function framesOf(stack: string): string {
  return stack.slice(stack.indexOf('\n') + 1);
}
