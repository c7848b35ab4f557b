import { linkSync, readFileSync, renameSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { CriteriaError } from '@agent-criteria/core';
import { writeFailed } from './write-failed.ts';

/** Who writes a run folder. */
interface Holder {
  readonly pid: number;
  readonly host: string;
}

/** Folders that this process writes. */
const held = new Set<string>();

/**
 * Makes this process the only writer of a run folder. A lock whose process has ended is taken over.
 * @throws CriteriaError RUN_LOCKED when another process writes it, or may.
 */
export function lockFolder(folder: string): () => void {
  const file = join(folder, 'lock');
  if (held.has(file)) throw locked(file, 'this process writes this run already; wait until it has ended');
  for (let attempt = 0; attempt < 3; attempt++) {
    if (take(file)) {
      held.add(file);
      return () => {
        held.delete(file);
        rmSync(file, { force: true });
      };
    }
    const holder = holderOf(file);
    if (holder !== null && mayLive(holder)) throw locked(file, describe(holder));
    removeLeft(file);
  }
  throw locked(file, 'several processes want to write this run at once; try again');
}

/** A link appears with its whole content or not at all, and never over another. */
function take(file: string): boolean {
  const own = `${file}.${process.pid}`;
  try {
    writeFileSync(own, `${JSON.stringify({ pid: process.pid, host: hostname() } satisfies Holder)}\n`, { mode: 0o600 });
    linkSync(own, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    return takeWithoutLinks(file, error);
  } finally {
    rmSync(own, { force: true });
  }
}

/** Some file systems have no hard links. */
function takeWithoutLinks(file: string, cause: unknown): boolean {
  try {
    writeFileSync(file, `${JSON.stringify({ pid: process.pid, host: hostname() })}\n`, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return false;
    if (code === 'ENOSPC') removeQuietly(file);
    throw writeFailed(file, error ?? cause);
  }
}

/** Only one of several who find a lock left behind moves it away; one that took a fresh lock by that puts it back. */
function removeLeft(file: string): void {
  const moved = `${file}.${process.pid}.left`;
  try {
    renameSync(file, moved);
    const holder = holderOf(moved);
    if (holder !== null && mayLive(holder)) linkSync(moved, file);
  } catch {
    // Somebody else was quicker; the next attempt shows what holds now.
  } finally {
    rmSync(moved, { force: true });
  }
}

function removeQuietly(file: string): void {
  try {
    unlinkSync(file);
  } catch {
    // It was never made.
  }
}

/** `null` when there is none any more, or when it says nothing: a lock that was torn belongs to nobody. */
function holderOf(file: string): Holder | null {
  try {
    const { pid, host } = JSON.parse(readFileSync(file, 'utf8'));
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
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
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
  const file = join(folder, 'lock');
  const holder = holderOf(file);
  return held.has(file) || (holder !== null && mayLive(holder));
}
