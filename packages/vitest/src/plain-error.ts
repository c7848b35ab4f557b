import { CriteriaError } from '@agent-criteria/core';
import { problemText } from '@agent-criteria/report/console';

/**
 * The same error, safe to print and without properties: Vitest prints them all, and would tell every problem twice.
 *
 * @param place The stack of another error, which stands for this one's. Default: its own.
 */
export function plainError(error: unknown, place?: string): unknown {
  if (!CriteriaError.is(error)) return error;
  const { message, problems, stack = '' } = error;
  return failure(problems.map(problemText).join('\n'), place ?? stack.replace(message, () => ''));
}

/**
 * An error with a text of ours, which may be painted.
 *
 * @param text Safe to print.
 * @param place The stack of another error, which stands for this one's. Default: its own.
 */
export function failure(text: string, place?: string): Error {
  const plain = new Error(text);
  const stack = place ?? plain.stack?.replace(text, () => '') ?? '';
  return Object.defineProperty(plain, 'stack', { value: `Error: ${text}\n${stack.slice(stack.indexOf('\n') + 1)}` });
}
