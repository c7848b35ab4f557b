import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { bundled } from '../../../../test/bundled.ts';
import { folderOf } from './folder.ts';

export const BIN = await bundled(fileURLToPath(new URL('../bin.ts', import.meta.url)));
export const FLAGS = ['--conditions=@agent-criteria/source', '--disable-warning=ExperimentalWarning'];

export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Starts a Node process that reads our sources, and collects its output until it ends. */
export function startNode(
  args: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv = process.env,
): { readonly child: ChildProcess; readonly ended: Promise<Ended> } {
  const options = { stdio: ['ignore', 'pipe', 'pipe'] as ['ignore', 'pipe', 'pipe'], cwd, env };
  const child = spawn(process.execPath, [...FLAGS, ...args], options);
  let out = '';
  let err = '';
  child.stdout.on('data', (data) => {
    out += data;
  });
  child.stderr.on('data', (data) => {
    err += data;
  });
  return { child, ended: once(child, 'close').then(([code]) => ({ code, out, err })) };
}

/** Starts the command as a process. Runs are saved in the working folder. */
export const start = (args: readonly string[], cwd = folderOf({})) => startNode([BIN, ...args], cwd);

export const run = (...args: string[]) => start(args).ended;
