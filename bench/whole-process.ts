import { run } from './command.ts';

/** The time of a program from start to end, including every process that it started, in milliseconds. */
export interface WholeProcess {
  /** CPU time, on all processors. */
  readonly cpu: number;
  readonly wall: number;
  readonly printed: string;
}

/** Runs a program. Rejects with its output if it fails. */
export async function wholeProcess(command: readonly string[], cwd: string): Promise<WholeProcess> {
  const start = performance.now();
  // The shell reports the time of its children; Node does not.
  const printed = await run('sh', ['-c', '"$@" && times', 'sh', ...command], cwd);
  const wall = performance.now() - start;
  const times = [...(printed.trimEnd().split('\n').at(-1) ?? '').matchAll(/(\d+)m([\d.]+)s/g)];
  if (times.length !== 2) throw new Error(`the shell told no times:\n${printed}`);
  const cpu = times.reduce((sum, [, minutes, seconds]) => sum + 60_000 * Number(minutes) + 1000 * Number(seconds), 0);
  return { cpu, wall, printed };
}
