import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import process from 'node:process';
import { root } from './folder.ts';

const NODE = [
  '--conditions=@agent-criteria/source',
  '--disable-warning=ExperimentalWarning',
  // Every command loads its modules anew, so memory only grows: to collect it seldom, without threads, saves a sixth of the time.
  '--single-threaded-gc',
  '--min-semi-space-size=64',
  '--max-semi-space-size=64',
];

/**
 * Runs a script of this folder in a process that knows nothing of the environment of this one: a NODE_PATH, as package
 * managers set it, lets Node find packages that the folder of a command does not have.
 */
export async function start(script: string, args: readonly string[]): Promise<void> {
  const { PATH, TMPDIR, SHOW_TIMES } = process.env;
  // What one process has compiled, the others need not.
  const NODE_COMPILE_CACHE = join(root, 'node_modules/.cache/corpus');
  const given = Object.entries({ PATH, TMPDIR, SHOW_TIMES, NODE_COMPILE_CACHE });
  const env = Object.fromEntries(given.filter(([, value]) => value !== undefined));
  const file = join(import.meta.dirname, script);
  const child = spawn(process.execPath, [...NODE, file, ...args], { env, stdio: ['ignore', 'inherit', 'inherit'] });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${script} ended with exit code ${code}`);
}
