import { formatProblem, type Problem } from '@agent-criteria/core';
import { safe } from '@agent-criteria/report/terminal';
import { type Io, painter } from './io.ts';

/** What is odd, but no reason to stop: on standard error. */
export function printWarnings(warnings: readonly Problem[], io: Io): void {
  const { yellow } = painter(io);
  for (const warning of warnings) io.err(`${yellow('warning')}: ${safe(formatProblem(warning))}\n`);
}

/** `1 case`, `2 cases`. */
export function count(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`;
}
