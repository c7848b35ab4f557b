import { CriteriaError } from '@agent-criteria/core';
import { missingImport, userStack } from '@agent-criteria/project/files';
import { foldProblems, problemText } from '@agent-criteria/report/console';
import { safeLines } from '@agent-criteria/report/terminal';
import type { Io } from './io.ts';
import { maskOf } from './masked.ts';
import { printWarnings } from './print-problems.ts';

/**
 * Prints an error and returns the exit code. Errors that we throw on purpose were found before anything ran: 2.
 * Anything else is a bug of ours, and nothing was judged: 3.
 */
export function reportError(error: unknown, io: Io): number {
  const mask = maskOf(io);
  if (!CriteriaError.is(error)) {
    const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
    io.err(`This is a bug in agent-criteria, please report it.\n${safeLines(mask.text(stack), 2)}\n`);
    return 3;
  }
  printWarnings(error.warnings, io);
  for (const problem of foldProblems(error.problems)) io.err(`${problemText(mask.json(problem))}\n`);
  const { cause } = error;
  if (error.code === 'AGENT_FAILED' && cause instanceof Error && missingImport(cause) === null) {
    // The user's own stack says where their module broke; ours says nothing. Of an import that is not there, without a frame, or
    // with a single one, which the message names, all is said above.
    const stack = userStack(cause);
    const saysMore = stack !== `${cause.name}: ${cause.message}`.trimEnd() && !/^[^\n]*\n\s+at [^\n]*$/.test(stack);
    if (saysMore) io.err(`${safeLines(mask.text(stack), 2)}\n`);
  }
  return 2;
}
