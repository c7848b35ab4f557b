import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from './command.ts';

/** The root of the repository. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Runs the version of pnpm that the workspace uses, in the project's folder. */
export function pnpm(...args: string[]): Promise<string> {
  return run('npx', ['-y', 'pnpm@12.21.0', ...args], root);
}

/** Builds the measured packages and those that they depend on. */
export async function build(): Promise<void> {
  const names = [
    ...['runner', 'criteria-rouge', 'criteria-trajectory', 'cli'],
    ...['criteria-llm-judge', 'models', 'model-gemini', 'viewer'],
  ];
  await pnpm('-r', ...names.map((name) => `--filter=@agent-criteria/${name}...`), 'run', 'build');
}
