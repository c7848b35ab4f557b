import { CriteriaError, toErrorInfo } from '@agent-criteria/core';
import type { WrittenError } from './messages.ts';

/** Writes an error as JSON. */
export function writtenError(error: unknown): WrittenError {
  const { message, stack } = toErrorInfo(error);
  if (CriteriaError.is(error)) return { message, stack, problems: error.problems };
  return { message, stack, name: error instanceof Error ? error.name : undefined };
}

/** Restores an error, with the stack of where it was thrown. */
export function restoredError({ message, stack, problems, name }: WrittenError): Error {
  const error = problems === undefined || problems.length === 0 ? new Error(message) : new CriteriaError(problems);
  return Object.assign(error, name !== undefined && { name }, stack !== undefined && { stack });
}
