import { writeFileWhole } from '@agent-criteria/calls';
import { CriteriaError, type Problem } from '@agent-criteria/core';

/**
 * Writes a file of a run atomically, readable only by its owner.
 *
 * @param options.flush Whether to flush it to disk first. Default `false`.
 * @throws CriteriaError WRITE_FAILED.
 */
export function writeWhole(file: string, text: string, options: { readonly flush?: boolean } = {}): void {
  try {
    writeFileWhole(file, text, { mode: 0o600, ...options });
  } catch (error) {
    throw writeFailed(file, error);
  }
}

/** Creates the error for a failed write, including cause and remedy. Earlier lines of the file are intact. */
export function writeFailed(file: string, error: unknown): CriteriaError {
  const { code, message } = error as NodeJS.ErrnoException;
  return new CriteriaError({ code: 'WRITE_FAILED', file, message: why(code, message) }, { cause: error });
}

/**
 * Rewords the error for a full disk if the run does not exist yet and so cannot be resumed. Other errors are returned
 * unchanged.
 */
export function notBegun(error: unknown): unknown {
  if (!CriteriaError.is(error) || error.code !== 'WRITE_FAILED') return error;
  if (!isFull((error.cause as NodeJS.ErrnoException | undefined)?.code)) return error;
  const message = 'the disk is full, so the run was not begun; free some space, then start it again';
  return new CriteriaError({ ...(error.problems[0] as Problem), message }, { cause: error.cause });
}

function isFull(code: string | undefined): boolean {
  return code === 'ENOSPC' || code === 'EDQUOT';
}

function why(code: string | undefined, message: string): string {
  if (isFull(code)) return 'the disk is full; free some space, then resume the run: everything up to here is saved';
  switch (code) {
    case 'EFBIG':
      return 'the file has reached the maximum size allowed here; raise the limit, then resume the run';
    case 'EROFS':
    case 'EACCES':
    case 'EPERM':
      return `no permission to write here (${code}); choose another folder for runs, or change its permissions`;
    default:
      return `cannot be written: ${message}`;
  }
}
