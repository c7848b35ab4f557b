import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import type { Tarball } from '../artefacts/pack.ts';
import type { Manager } from './manager.ts';

/** The expected result of a command. */
export interface Expected {
  readonly code: number;
  /** Words that it must print, on either stream. */
  readonly says?: readonly (string | RegExp)[];
  readonly environment?: Readonly<Record<string, string>>;
}

/** A new user's folder and operations in it. An unexpected result throws with the whole output. */
export interface Project {
  /** The name of its package manager. */
  readonly manager: string;
  readonly folder: string;
  write(files: Readonly<Record<string, string>>): void;
  read(file: string): string;
  install(ours: readonly string[], others?: readonly string[]): Promise<void>;
  installed(): readonly string[];
  /** Runs a command of an installed package through its manager: `npx agent-criteria --version`. */
  started(line: string, expected: Expected): Promise<string>;
  /** Runs the command without the manager, which takes a second to start: `agent-criteria eval .` */
  run(line: string, expected: Expected): Promise<string>;
  /** Runs lines from a page in one shell, as if pasted. Stops at the first line that fails. */
  paste(lines: string, expected: Expected): Promise<string>;
  /** Runs a file with Node. */
  node(file: string, expected: Expected): Promise<string>;
}

export function openProject(folder: string, manager: Manager, tarballs: readonly Tarball[]): Project {
  mkdirSync(folder, { recursive: true });
  const write: Project['write'] = (files) => {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
  };
  write({ 'package.json': '{ "private": true, "type": "module" }\n', ...manager.files(tarballs) });
  return {
    manager: manager.name,
    folder,
    write,
    read: (file) => readFileSync(join(folder, file), 'utf8'),
    async install(ours, others = []) {
      await execute(folder, manager.install(tarballs, ours, others), { code: 0 });
    },
    installed: () => manager.installed(folder),
    started: (line, expected) => execute(folder, [...manager.exec, ...line.split(' ')], expected),
    run(line, expected) {
      const [command = '', ...args] = line.split(' ');
      return execute(folder, [join(folder, 'node_modules', '.bin', command), ...args], expected);
    },
    paste: (lines, expected) => execute(folder, ['sh', '-ec', lines], expected),
    node: (file, expected) => execute(folder, ['node', file], expected),
  };
}

async function execute(cwd: string, line: readonly string[], expected: Expected): Promise<string> {
  const { code, text } = await spawned(cwd, line, expected.environment ?? {});
  const missing = (expected.says ?? []).filter((words) =>
    typeof words === 'string' ? !text.includes(words) : !words.test(text),
  );
  if (code === expected.code && missing.length === 0) return text;
  const wrong = [
    ...(code === expected.code ? [] : [`ended with ${code}, not with ${expected.code}`]),
    ...missing.map((words) => `did not say ${words}`),
  ];
  throw new Error(`${line.join(' ')}\n${wrong.join('\n')}. It printed:\n${text.trim()}`);
}

function spawned(
  cwd: string,
  [command = '', ...args]: readonly string[],
  environment: Readonly<Record<string, string>>,
) {
  const env = { ...strangersEnvironment(), ...environment };
  return new Promise<{ readonly code: number | null; readonly text: string }>((resolve, reject) => {
    const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let text = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (part) => {
        text += part;
      });
    }
    child.on('error', reject).on('close', (code) => resolve({ code, text }));
  });
}

/** Returns the environment without the variables of pnpm, the workspace and the user: no keys, no settings of ours. */
export function strangersEnvironment(): Readonly<Record<string, string | undefined>> {
  const ours = /^(p?npm_|NODE_OPTIONS|NODE_PATH|AGENT_CRITERIA_|GEMINI_|GOOGLE_|OPENAI_|FORCE_COLOR)/i;
  const kept = Object.entries(process.env).filter(([name]) => !ours.test(name));
  const path = (process.env.PATH ?? '').split(delimiter).filter((folder) => !/node_modules|node-gyp-bin/.test(folder));
  return { ...Object.fromEntries(kept), PATH: path.join(delimiter), NO_COLOR: '1' };
}
