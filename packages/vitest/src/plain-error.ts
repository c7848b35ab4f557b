import { CriteriaError } from '@agent-criteria/core';
import { problemText } from '@agent-criteria/report/console';

/**
 * Converts an error to one that is safe to print and has no properties: Vitest prints them all, and would repeat every problem.
 *
 * @param place The stack of another error, used instead of its own.
 */
export function plainError(error: unknown, place?: string): unknown {
  if (!CriteriaError.is(error)) return error;
  const { message, problems, stack = '' } = error;
  return failure(problems.map(problemText).join('\n'), place ?? stack.replace(message, () => ''));
}

/**
 * Creates an error with a message that may have colours.
 *
 * @param text Safe to print.
 * @param place The stack of another error, used instead of its own.
 */
export function failure(text: string, place?: string): Error {
  const plain = new Error(text);
  const stack = place ?? plain.stack?.replace(text, () => '') ?? '';
  return Object.defineProperty(plain, 'stack', { value: `Error: ${text}\n${stack.slice(stack.indexOf('\n') + 1)}` });
}
