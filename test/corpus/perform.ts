import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { runCommand } from '../../packages/cli/src/index.ts';
import type { Io } from '../../packages/cli/src/io.ts';
import { bundles } from '../bundles.ts';
import { type CommandLine, type CorpusEntry, isScript, type Setup } from './command.ts';
import { change, copyFolder, fill, look, root, runsIn } from './folder.ts';
import { startServer } from './server.ts';
import { type Ended, snapshot } from './snapshot.ts';

/** The environment that every command gets, independent of this process's own. */
const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env;
const BASE = { PATH, NODE_COMPILE_CACHE, TZ: 'UTC' };
/**
 * Makes Node load our sources that an agent in TypeScript imports, as it loads published packages, instead of compiling
 * them again.
 */
const SOURCES = { JITI_TRY_NATIVE: 'true' };
const NODE = ['--conditions=@agent-criteria/source', '--disable-warning=ExperimentalWarning'];

/** Runs commands in separate folders, below one that is removed at the end. */
export interface Performer {
  /** Runs the commands of an entry and returns its snapshot. */
  perform(entry: CorpusEntry): Promise<string>;
  end(): void;
}

/** How to run commands, if not as the corpus does. */
export interface Way {
  /** Runs one command to its end. */
  start(args: string[], folder: string, given: Environment): Promise<Outcome>;
  /** The folder that contains the working folders: packages installed there can be resolved from them. */
  readonly place: string;
}

/** Creates a performer. @param way Default: in this process, in folders that have the packages of this checkout. */
export function openPerformer(way?: Way): Performer {
  const { newFolder, remove } = openFolders(way?.place);
  const states = new Map<string, Promise<string>>();

  /** Returns the folder after the preparing commands, created once for all entries that start in the same way. */
  const stateOf = ({ copies = [], packages = [], before = [] }: Setup): Promise<string> => {
    const key = JSON.stringify([copies, packages, before]);
    const made = states.get(key);
    if (made !== undefined) return made;
    const folder = newFolder();
    const state = prepare(folder, { copies, packages, before });
    states.set(key, state);
    return state;
  };

  async function prepare(folder: string, { copies, packages, before = [] }: Setup): Promise<string> {
    fill(folder, { ...(copies && { copies }), ...(packages && way === undefined && { packages }) });
    for (const line of before) await (way?.start ?? inProcess)(argumentsOf(line, folder), folder, {}, false);
    return folder;
  }

  return {
    async perform(entry) {
      const state = await stateOf(entry);
      // Modules in a new location are loaded again, as in a new process.
      const folder = newFolder();
      copyFolder(state, folder);
      change(folder, entry.files);
      const server = entry.server === undefined ? null : await startServer(entry.server);
      const withServer = (text: string) => text.replaceAll('SERVER', server?.url ?? 'SERVER');
      const given = Object.entries(entry.environment ?? {});
      const environment = Object.fromEntries(given.map(([name, value]) => [name, withServer(value)]));
      const before = look(folder);
      const ended: Ended[] = [];
      try {
        for (const line of entry.commands) {
          const args = argumentsOf(line, folder).map(withServer);
          const start = way?.start ?? (isScript(line) ? asScript : entry.process === true ? asProcess : inProcess);
          ended.push({ line, ...(await start(args, folder, environment, entry.color === true)) });
        }
      } finally {
        await server?.close();
      }
      const text = snapshot(entry, ended, { folder, root, before, server: server?.url ?? null });
      return text;
    },
    end: remove,
  };
}

/** Provides new working folders while `work` runs. */
export async function inFolders(work: (newFolder: () => string) => Promise<void>): Promise<void> {
  const { newFolder, remove } = openFolders();
  try {
    await work(newFolder);
  } finally {
    remove();
  }
}

function openFolders(within?: string) {
  const place = within ?? realpathSync(mkdtempSync(join(tmpdir(), 'agent-criteria-corpus-')));
  let folders = 0;
  return {
    newFolder(): string {
      folders += 1;
      // Some commands print the name of the working folder.
      const folder = join(place, String(folders).padStart(4, '0'), 'work');
      // Ends the search for a project here, so that the project above does not get the runs.
      if (within !== undefined) mkdirSync(join(folder, '.git'), { recursive: true });
      return folder;
    },
    remove: () => rmSync(place, { recursive: true, force: true }),
  };
}

/** Splits a command line into arguments and fills in run ids: `RUN1` is the id of the first run. */
function argumentsOf(line: CommandLine, folder: string): string[] {
  const args = typeof line === 'string' ? line.split(' ').filter((arg) => arg !== '') : [...line];
  if (!args.some((arg) => /RUN\d/.test(arg))) return args;
  const runs = runsIn(folder);
  return args.map((arg) => arg.replace(/RUN(\d)/, (_, number) => runs[Number(number) - 1] ?? `no run ${number}`));
}

export type Outcome = Omit<Ended, 'line'>;
export type Environment = Readonly<Record<string, string>>;

/** Calls a command in this process, in a folder. */
export async function inProcess(args: string[], folder: string, given: Environment, color: boolean): Promise<Outcome> {
  const environment = { ...environmentOf(folder, given), ...SOURCES };
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, environment);
  process.chdir(folder);
  let out = '';
  let err = '';
  const drain = new AbortController();
  const interrupt = () => drain.abort(new Error('interrupted'));
  process.on('SIGINT', interrupt);
  const io: Io = {
    out: (text) => {
      out += text;
    },
    raw: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
    width: { out: Number.POSITIVE_INFINITY, err: Number.POSITIVE_INFINITY },
    color,
    live: null,
    environment: process.env,
    signal: new AbortController().signal,
    drain: () => drain.signal,
  };
  try {
    return { code: await runCommand(args, io), out, err };
  } finally {
    process.off('SIGINT', interrupt);
    process.chdir(root);
  }
}

/** Runs a command as a separate process, in a folder. */
export async function asProcess(args: string[], folder: string, given: Environment): Promise<Outcome> {
  const bin = join(root, 'packages/cli/src/bin.ts');
  return started([process.execPath, ...NODE, ...(await bundles()), bin, ...args], folder, {
    ...environmentOf(folder, given),
    ...SOURCES,
  });
}

/** Runs a script as a separate process, in a folder. */
async function asScript([, ...args]: string[], folder: string, given: Environment): Promise<Outcome> {
  return started([process.execPath, ...NODE, ...(await bundles()), ...args], folder, environmentOf(folder, given));
}

/** Runs a command line to its end. */
export async function started(line: readonly string[], folder: string, env: Environment): Promise<Outcome> {
  const [command = '', ...args] = line;
  const child = spawn(command, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let out = '';
  let err = '';
  child.stdout.on('data', (data) => {
    out += data;
  });
  child.stderr.on('data', (data) => {
    err += data;
  });
  const [code] = await once(child, 'close');
  return { code, out, err };
}

/** Creates the environment, with a separate home folder, so that the credentials of whoever records are not found. */
export function environmentOf(folder: string, given: Environment): Record<string, string> {
  const home = join(folder, 'node_modules/.home');
  mkdirSync(home, { recursive: true });
  return { ...BASE, HOME: home, ...given };
}
