import { safeJson } from '@agent-criteria/report/terminal';
import type { Io } from './io.ts';

/** A value as JSON on standard output. */
export function printJson(value: unknown, io: Io): void {
  io.raw(safeJson(`${JSON.stringify(value, null, 2)}\n`));
}
