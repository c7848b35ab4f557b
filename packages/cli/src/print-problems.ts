import type { Problem } from '@agent-criteria/core';
import { formatWarnings } from '@agent-criteria/report/console';
import type { Io } from './io.ts';
import { maskOf } from './masked.ts';

/** What is odd, but no reason to stop: on standard error. */
export function printWarnings(warnings: readonly Problem[], io: Io): void {
  if (warnings.length > 0) io.err(formatWarnings(maskOf(io).json(warnings), { color: io.color, width: io.width.err }));
}
