import { CriteriaError } from '@agent-criteria/core';

/** Why a file of a run could not be written, and what to do. What was written before is whole. */
export function writeFailed(file: string, error: unknown): CriteriaError {
  const { code, message } = error as NodeJS.ErrnoException;
  return new CriteriaError({ code: 'WRITE_FAILED', file, message: `${why(code, message)}` }, { cause: error });
}

function why(code: string | undefined, message: string): string {
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return 'the disk is full; free some space, then resume the run: everything up to here is saved';
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
