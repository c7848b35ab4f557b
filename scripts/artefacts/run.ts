import { spawn } from 'node:child_process';

export interface Where {
  readonly cwd: string;
  /** A folder in which commands are looked up before all others. */
  readonly path?: string;
}

/** Runs a command and returns its stdout. Rejects with the end of its output if the exit code is not 0. */
export function run(command: string, args: readonly string[], { cwd, path }: Where): Promise<string> {
  // npm would report variables that pnpm sets for its scripts as unknown settings.
  const inherited = Object.entries(process.env).filter(([name]) => !/^(p?npm_|NODE_OPTIONS|NODE_PATH)/i.test(name));
  const env = Object.fromEntries(inherited);
  if (path !== undefined) env.PATH = `${path}:${env.PATH}`;
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let stdout = '';
    let all = '';
    child.stdout.on('data', (data) => {
      stdout += data;
      all += data;
    });
    child.stderr.on('data', (data) => {
      all += data;
    });
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve(stdout);
      else
        reject(
          new Error(
            `${command} ${args.join(' ')} exited with ${code}:\n${all.trim().split('\n').slice(-40).join('\n')}`,
          ),
        );
    });
  });
}
