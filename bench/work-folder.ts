import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Creates a temporary folder that is deleted when the process ends, also by a signal. */
export function workFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'agent-criteria-bench-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1));
  return folder;
}
