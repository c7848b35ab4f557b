import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { CriteriaError } from '@agent-criteria/core';

/** What the shell passes as a file, as `<(command)` and standard input, has a writer already. */
const HAS_WRITER = /^\/(?:dev\/(?:fd\/|stdin$)|proc\/)/;

/**
 * Refuses a named pipe: to open one waits until something writes to it, maybe for ever.
 * @throws CriteriaError FILE_UNREADABLE
 */
export async function refusePipe(file: string): Promise<void> {
  if (HAS_WRITER.test(resolve(file))) return;
  const stats = await stat(file).catch(() => null);
  if (!stats?.isFIFO()) return;
  const message = 'this is a named pipe, and reading it could block; write its output to a file, and use that';
  throw new CriteriaError({ code: 'FILE_UNREADABLE', file, message });
}
