import { CriteriaError } from '@agent-criteria/core';

const UNREADABLE: ReadonlySet<string> = new Set(['FILE_NOT_FOUND', 'FILE_UNREADABLE']);

/** What an earlier start has left; `null` where it cannot be read any more, so that it is done again. */
export async function readKept<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    if (CriteriaError.is(error) && UNREADABLE.has(error.code)) return null;
    throw error;
  }
}
