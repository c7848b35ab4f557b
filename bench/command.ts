import { spawn } from 'node:child_process';

/** Runs a program and returns its output. Rejects with the output if the program fails. */
export function run(command: string, args: readonly string[], cwd: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
    let printed = '';
    let complaints = '';
    child.stdout.on('data', (data) => {
      printed += data;
    });
    child.stderr.on('data', (data) => {
      complaints += data;
    });
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve(printed);
      else reject(new Error(`${command} ${args.join(' ')} failed:\n${printed}${complaints}`));
    });
  });
}
