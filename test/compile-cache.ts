import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Tests start many processes on the same sources. Each source is compiled once, for as long as the tests run. */
export default function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'agent-criteria-compiled-'));
  process.env.NODE_COMPILE_CACHE = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}
