import { CriteriaError } from '@agent-criteria/core';
import { problemText } from '@agent-criteria/report/console';

/**
 * Converts a CriteriaError to an error that is safe to print and has no extra properties. Vitest prints all properties,
 * and so would repeat every problem. Returns other errors unchanged.
 *
 * @param place The stack trace of another error, to use instead of the error's own.
 */
export function plainError(error: unknown, place?: string): unknown {
  if (!CriteriaError.is(error)) return error;
  const { message, problems, stack = '' } = error;
  return failure(problems.map(problemText).join('\n'), place ?? stack.replace(message, () => ''));
}

/**
 * Creates an error whose message may contain colours.
 *
 * @param text The message, which must be safe to print.
 * @param place The stack trace of another error, to use instead of its own.
 */
export function failure(text: string, place?: string): Error {
  const plain = new Error(text);
  const stack = place ?? plain.stack?.replace(text, () => '') ?? '';
  return Object.defineProperty(plain, 'stack', { value: `Error: ${text}\n${stack.slice(stack.indexOf('\n') + 1)}` });
}
