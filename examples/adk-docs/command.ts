// The real command, in a process of its own.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs `agent-criteria` on the sources, in a working folder of its own when one is given. */
export function command(
  args: readonly string[],
  cwd?: string,
  env: Readonly<Record<string, string | undefined>> = process.env,
): Promise<Ended> {
  const bin = fileURLToPath(new URL('../../packages/cli/src/bin.ts', import.meta.url));
  const node = ['--conditions=@agent-criteria/source', '--no-warnings', bin];
  // What one process has compiled, the others need not.
  const compiled = { NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] };
  return new Promise((done) => {
    execFile(process.execPath, [...node, ...args], { cwd, env: { ...compiled, ...env } }, (error, out, err) => {
      done({ code: typeof error?.code === 'number' ? error.code : 0, out, err });
    });
  });
}

/** A new folder, and how to get rid of it. */
export function emptyFolder(): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'agent-criteria-docs-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** An empty folder for the time of `work`. */
export async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = emptyFolder();
  try {
    return await work(folder.path);
  } finally {
    folder.remove();
  }
}
