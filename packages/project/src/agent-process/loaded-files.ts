import fs from 'node:fs';
import * as nodeModule from 'node:module';
import { sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MessageChannel, receiveMessageOnPort } from 'node:worker_threads';

/** The files that this process loads from now on. */
export interface LoadedFiles {
  /** Returns the files since the last call, without any that was returned before. */
  take(): readonly string[];
}

/**
 * Records the files below a folder that are imported or read by this process from now on, without those in `node_modules` and in hidden
 * folders. Functions of `node:fs` are replaced, so it is for a process of an agent only.
 */
export function recordLoadedFiles(folder: string): LoadedFiles {
  const known = new Set<string>();
  let fresh: string[] = [];
  const inside = folder.endsWith(sep) ? folder : folder + sep;
  const add = (place: unknown): void => {
    const file = pathOf(place);
    if (file === null || known.has(file) || !file.startsWith(inside)) return;
    if (
      file
        .slice(inside.length)
        .split(sep)
        .some((name) => name === 'node_modules' || isHidden(name))
    )
      return;
    known.add(file);
    fresh.push(file);
  };
  watchReads(add);
  const imported = watchImports(add);
  return {
    take() {
      imported();
      const files = fresh;
      fresh = [];
      return files;
    },
  };
}

/** `.env` is a file that agents read. */
function isHidden(name: string): boolean {
  return name.startsWith('.') && !name.startsWith('.env');
}

function pathOf(place: unknown): string | null {
  try {
    if (place instanceof URL || (typeof place === 'string' && place.startsWith('file:'))) return fileURLToPath(place);
    return typeof place === 'string' ? fs.realpathSync.native(place) : null;
  } catch {
    // A missing file has no content that could change. If the agent reads it later, it is recorded then.
    return null;
  }
}

/** Also finds what CommonJS modules and TypeScript loaders read. */
function watchReads(add: (place: unknown) => void): void {
  for (const [owner, names] of [
    [fs, ['readFileSync', 'readFile', 'openSync', 'open', 'createReadStream']],
    [fs.promises, ['readFile', 'open']],
  ] as const) {
    for (const name of names) {
      const functions = owner as unknown as Record<string, (...args: unknown[]) => unknown>;
      const original = functions[name] as (...args: unknown[]) => unknown;
      const recorded = function (this: unknown, ...args: unknown[]): unknown {
        if (!isWriting(name, args[1])) add(args[0]);
        return original.apply(this, args);
      };
      // Promisified forms and other properties stay.
      functions[name] = Object.defineProperties(recorded, Object.getOwnPropertyDescriptors(original));
    }
  }
  nodeModule.syncBuiltinESMExports();
}

/** Whether `open` is called for writing: flags are a number, or a text such as `w` or `a+`. */
function isWriting(name: string, flags: unknown): boolean {
  if (!name.startsWith('open')) return false;
  if (typeof flags === 'number') return (flags & 3) !== fs.constants.O_RDONLY;
  return typeof flags === 'string' && !flags.startsWith('r');
}

interface Hooks {
  registerHooks?(hooks: {
    load(url: string, context: unknown, next: (url: string, context: unknown) => unknown): unknown;
  }): unknown;
}

/** @returns A function that reports the modules which were imported up to its call. */
function watchImports(add: (place: unknown) => void): () => void {
  const { registerHooks } = nodeModule as Hooks;
  if (registerHooks !== undefined) {
    registerHooks({
      load(url, context, next) {
        if (url.startsWith('file:')) add(url.split('?')[0]);
        return next(url, context);
      },
    });
    return () => undefined;
  }
  // Node 20: hooks run in a thread, which sends what it loads before an import returns.
  const { port1, port2 } = new MessageChannel();
  port1.unref();
  const hooks = `let port;
export const initialize = (data) => { port = data; };
export const load = (url, context, next) => { if (url.startsWith('file:')) port.postMessage(url); return next(url, context); };`;
  nodeModule.register(`data:text/javascript,${encodeURIComponent(hooks)}`, {
    data: port2,
    transferList: [port2],
  });
  return () => {
    for (;;) {
      const received = receiveMessageOnPort(port1);
      if (received === undefined) return;
      add(String(received.message).split('?')[0]);
    }
  };
}
