import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import process from 'node:process';
import { root } from './folder.ts';

const NODE = [
  '--conditions=@agent-criteria/source',
  '--disable-warning=ExperimentalWarning',
  // Every command loads its modules again, so memory only grows: collecting garbage rarely, without threads, saves a
  // sixth of the time.
  '--single-threaded-gc',
  '--min-semi-space-size=64',
  '--max-semi-space-size=64',
];

/**
 * Runs a script in this folder in a process that is isolated from this process's environment: a NODE_PATH, as set by
 * package managers, lets Node find packages that a command's folder does not have.
 */
export async function start(script: string, args: readonly string[]): Promise<void> {
  const { PATH, TMPDIR, SHOW_TIMES } = process.env;
  // Lets processes reuse what another one has compiled.
  const NODE_COMPILE_CACHE = join(root, 'node_modules/.cache/corpus');
  const given = Object.entries({ PATH, TMPDIR, SHOW_TIMES, NODE_COMPILE_CACHE });
  const env = Object.fromEntries(given.filter(([, value]) => value !== undefined));
  const file = join(import.meta.dirname, script);
  const child = spawn(process.execPath, [...NODE, file, ...args], { env, stdio: ['ignore', 'inherit', 'inherit'] });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${script} ended with exit code ${code}`);
}
