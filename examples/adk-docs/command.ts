// The real command: called in this process, or started in one of its own.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { runCommand } from '@agent-criteria/cli';

export interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Calls `agent-criteria` in a working folder. */
export async function command(args: readonly string[], cwd: string): Promise<Ended> {
  const before = process.cwd();
  const width = { out: Number.POSITIVE_INFINITY, err: Number.POSITIVE_INFINITY };
  const { signal } = new AbortController();
  let out = '';
  let err = '';
  const toOut = (text: string) => {
    out += text;
  };
  const toErr = (text: string) => {
    err += text;
  };
  process.chdir(cwd);
  try {
    const environment = process.env;
    const streams = { out: toOut, raw: toOut, err: toErr, width, color: false, live: null };
    const code = await runCommand(args, { ...streams, environment, signal, drain: () => signal });
    return { code, out, err };
  } finally {
    process.chdir(before);
  }
}

const bin = fileURLToPath(new URL('../../packages/cli/src/bin.ts', import.meta.url));

/** Starts `agent-criteria` in a working folder: it knows nothing of what this process has imported. */
export function started(
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string | undefined>> = process.env,
): Promise<Ended> {
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
