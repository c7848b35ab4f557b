import { hash, randomBytes } from 'node:crypto';
import { linkSync, readFileSync, realpathSync, renameSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { CriteriaError } from '@agent-criteria/core';
import { parseJson, stringifyJson } from '@agent-criteria/core/host';
import { writeFailed } from './write-failed.ts';

/** Who writes a run folder. */
interface Holder {
  readonly pid: number;
  readonly host: string;
  /** Tells this lock from every other of the same process. */
  readonly id?: string;
}

const heldKey = Symbol.for('@agent-criteria/runner/locks');
const copies = globalThis as { [heldKey]?: Set<string> };
/** Locks that this process holds, also by another copy of this package. */
const held = copies[heldKey] ?? new Set<string>();
copies[heldKey] = held;

/** How many processes may have ended while they took over the same lock. */
const LONGEST_CHAIN = 8;

/**
 * Makes this process the only writer of a run folder. A lock whose process has ended is taken over.
 * @throws CriteriaError RUN_LOCKED when another process writes it, or may.
 */
export function lockFolder(folder: string): () => void {
  const file = lockFile(folder);
  if (held.has(file)) throw locked(file, 'this process writes this run already; wait until it has ended');
  const own: Holder = { pid: process.pid, host: hostname(), id: randomBytes(6).toString('hex') };
  const content = `${stringifyJson(own)}\n`;
  for (let attempt = 0; attempt < 3; attempt++) {
    if (!take(file, content) && !takeOver(file, content)) continue;
    held.add(file);
    return () => {
      held.delete(file);
      removeOwn(file, content);
    };
  }
  throw locked(file, 'several processes want to write this run at once; try again');
}

/** By whatever path a folder is named. */
function lockFile(folder: string): string {
  try {
    return join(realpathSync(folder), 'lock');
  } catch {
    return join(folder, 'lock');
  }
}

/** A link appears with its whole content or not at all, and never over another. */
function take(file: string, content: string): boolean {
  const draft = draftOf(file);
  try {
    writeFileSync(draft, content, { mode: 0o600 });
    linkSync(draft, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    return takeWithoutLinks(file, content);
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Some file systems have no hard links. */
function takeWithoutLinks(file: string, content: string): boolean {
  try {
    writeFileSync(file, content, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return false;
    if (code === 'ENOSPC') removeQuietly(file);
    throw writeFailed(file, error);
  }
}

/**
 * Takes over a lock that was left behind. Of several who find it, one makes the file that is named for its content: only
 * that one may replace it, and only as long as it is there, so that nobody ever moves a lock that is alive.
 * @throws CriteriaError RUN_LOCKED when its process lives.
 */
function takeOver(file: string, content: string): boolean {
  const left = contentOf(file);
  const claims: string[] = [];
  for (let last = left; last !== null && claims.length < LONGEST_CHAIN; ) {
    const holder = holderOf(last);
    if (holder !== null && mayLive(holder)) throw locked(file, describe(holder));
    const claim = `${file}.${hash('sha256', last).slice(0, 16)}`;
    claims.push(claim);
    if (take(claim, content)) {
      const mine = contentOf(file) === left;
      if (mine) replace(file, content);
      for (const made of mine ? claims : [claim]) rmSync(made, { force: true });
      return mine;
    }
    last = contentOf(claim);
  }
  return false;
}

function replace(file: string, content: string): void {
  const draft = draftOf(file);
  try {
    writeFileSync(draft, content, { mode: 0o600 });
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw writeFailed(file, error);
  }
}

/** Somebody may have deleted it by hand, and another process have taken it. */
function removeOwn(file: string, content: string): void {
  try {
    if (contentOf(file) === content) rmSync(file, { force: true });
  } catch {
    // What is left is taken over as soon as this process has ended.
  }
}

function draftOf(file: string): string {
  return `${file}.${process.pid}.${randomBytes(6).toString('hex')}`;
}

/** `null`: there is none. */
function contentOf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw writeFailed(file, error);
  }
}

function removeQuietly(file: string): void {
  try {
    unlinkSync(file);
  } catch {
    // It was never made.
  }
}

/** `null` when it says nothing: a lock that was torn belongs to nobody. */
function holderOf(content: string): Holder | null {
  try {
    const { pid, host } = parseJson(content);
    return Number.isInteger(pid) && pid > 0 && typeof host === 'string' ? { pid, host } : null;
  } catch {
    return null;
  }
}

/** A process of another machine cannot be looked at. One with our own id, which we do not hold, was before us. */
function mayLive({ pid, host }: Holder): boolean {
  if (host !== hostname()) return true;
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return !isWaitedFor(pid);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Killed, and kept by the system for a parent that does not ask, as in many containers. Only Linux tells. */
function isWaitedFor(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in brackets may hold anything.
    return stat
      .slice(stat.lastIndexOf(')') + 1)
      .trimStart()
      .startsWith('Z');
  } catch {
    return false;
  }
}

function describe({ pid, host }: Holder): string {
  return host === hostname()
    ? `the process ${pid} writes this run; wait until it has ended, or stop it. If that process is something else, delete this file`
    : `a process on the machine "${host}" writes this run; if it does not run any more, delete this file`;
}

function locked(file: string, message: string): CriteriaError {
  return new CriteriaError({ code: 'RUN_LOCKED', file, message });
}

/** Whether somebody writes this folder now, as far as can be seen. */
export function isLocked(folder: string): boolean {
  const file = lockFile(folder);
  if (held.has(file)) return true;
  try {
    const holder = holderOf(contentOf(file) ?? '');
    return holder !== null && mayLive(holder);
  } catch {
    return false;
  }
}
