import { CriteriaError, type Problem } from '@agent-criteria/core';
import { missingImport, userStack } from '@agent-criteria/project/files';
import { foldProblems, formatWarnings, problemText } from '@agent-criteria/report/console';
import { safeJson, safeLines } from '@agent-criteria/report/terminal';
import type { Io } from './io.ts';
import { maskOf } from './masked.ts';

export function printJson(value: unknown, io: Io): void {
  io.raw(safeJson(`${JSON.stringify(value, null, 2)}\n`));
}

/** Prints the result of a command: a value as JSON, or text for people. */
export function printResult(json: boolean | undefined, value: unknown, text: () => string, io: Io): void {
  if (json === true) printJson(value, io);
  else io.out(text());
}

export function printWarnings(warnings: readonly Problem[], io: Io): void {
  if (warnings.length > 0) io.err(formatWarnings(maskOf(io).json(warnings), { color: io.color, width: io.width.err }));
}

/**
 * Prints an error and returns the exit code: 2 for errors that we throw on purpose, which are found before anything
 * runs, or 3 for anything else, which is a bug of ours.
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
    // The user's own stack shows where their module broke. It adds nothing for a missing import, or if it has at most
    // one frame, which the message names.
    const stack = userStack(cause);
    const saysMore = stack !== `${cause.name}: ${cause.message}`.trimEnd() && !/^[^\n]*\n\s+at [^\n]*$/.test(stack);
    if (saysMore) io.err(`${safeLines(mask.text(stack), 2)}\n`);
  }
  return 2;
}
