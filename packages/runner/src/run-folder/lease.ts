import { setTimeout as sleep } from 'node:timers/promises';
import { type Duration, toMilliseconds, wideController } from '@agent-criteria/calls';
import { CriteriaError } from '@agent-criteria/core';
import { stringifyJson } from '@agent-criteria/formats';
import { eventSink } from '../engine/events.ts';
import { rmSync, utimesSync } from '../node-fs.ts';
import { endInterval, startInterval, steadyNow, timeNow } from '../own-globals.ts';
import { runDefaults } from '../run-defaults.ts';
import type { RunSettings } from '../settings.ts';
import { fenceFiles } from './fence-files.ts';
import { claimOf, lockFile, makeLock, readLock, replaceLock, type SeenLock } from './lock-file.ts';
import { type Holder, holderOf, isDead, nameOfHolder, thisProcess } from './lock-owner.ts';

/** The right to write a run folder, as long as it is renewed. docs/decisions/0015 says why it is as it is. */
export interface Lease {
  /** One more than that of the lease that was taken over, if one was. From 1. */
  readonly generation: number;
  /** Aborts once it is known that another process has taken the folder over. */
  readonly lost: AbortSignal;
  /** To be called before each write. @throws CriteriaError RUN_LOCKED when another process has taken the folder over. */
  check(): void;
  /** Gives the folder free. @throws CriteriaError as `check`, unless that has said so already. */
  release(): void;
}

export interface LeaseOptions {
  /** Milliseconds without a sign of life after which others may take the folder over. Default 30,000. */
  readonly lease?: number | undefined;
  /** Aborting ends the wait for a holder who may be dead: the folder is taken at once, or not at all. */
  readonly signal?: AbortSignal | undefined;
  /** Is called when a holder has to be waited for. */
  readonly onWait?: ((wait: LeaseWait) => void) | undefined;
}

export interface LeaseWait {
  /** The file of the lease. */
  readonly file: string;
  /** Who may still write: a process, as the end of a sentence. */
  readonly holder: string;
  /** How long it takes at most, in milliseconds. */
  readonly atMost: number;
}

const heldKey = Symbol.for('@agent-criteria/runner/locks');
const copies = globalThis as { [heldKey]?: Set<string> };
/** Files of the leases that this process holds, also by another copy of this package. */
const held = copies[heldKey] ?? new Set<string>();
copies[heldKey] = held;

/** How many processes may have ended while they took over the same lease. */
const LONGEST_CHAIN = 8;
/** How often a lease is renewed before it would end: a process may be busy for most of that time. */
const RENEWALS = 10;
/** Milliseconds between two looks at a lease that may be dead, at most. */
const LOOK_EVERY = 250;

/**
 * Makes this process the only writer of a run folder. A lease whose process has ended for certain is taken over at once, any
 * other when it was not renewed for its whole time while this process watched it.
 * @throws CriteriaError RUN_LOCKED when its holder gives a sign of life.
 */
export async function takeLease(folder: string, options: LeaseOptions = {}): Promise<Lease> {
  const file = lockFile(folder);
  if (held.has(file)) throw locked(file, 'this process is already writing this run; wait until it has finished');
  held.add(file);
  try {
    const own = await take(file, options);
    if (own.needsFence) fenceOrGiveUp(folder, file);
    return hold(file, own);
  } catch (error) {
    held.delete(file);
    throw error;
  }
}

interface Taken {
  readonly content: string;
  readonly holder: Holder;
  /** The process before may come back in the middle of a write. */
  readonly needsFence: boolean;
}

async function take(file: string, options: LeaseOptions): Promise<Taken> {
  const own = { ...thisProcess(), lease: options.lease ?? runDefaults.lease };
  const expired: Expired = new Map();
  for (let attempt = 0; attempt < 3; ) {
    const first = described({ ...own, generation: 1 });
    if (makeLock(file, first.content)) return { ...first, needsFence: false };
    const taken = takeOver(file, own, expired);
    if (taken !== null && 'content' in taken) return taken;
    if (taken === null) attempt += 1;
    else await watch(taken, expired, options);
  }
  throw locked(file, 'several processes tried to write this run at the same time; try again');
}

function described(holder: Holder): { readonly content: string; readonly holder: Holder } {
  return { content: `${stringifyJson(holder)}\n`, holder };
}

/** Files that were watched for their whole time: when they were renewed last, by their content. */
type Expired = Map<string, bigint>;

/** A file whose holder may live. */
interface Doubted {
  readonly file: string;
  readonly seen: SeenLock;
  readonly holder: Holder;
}

/**
 * Takes over a lease whose holder has ended, or has let it expire. Of several who find it, one makes the file that is named
 * for its content: only that one may replace it, and only as long as it is as it was.
 * @returns `null`: somebody else was quicker.
 */
function takeOver(file: string, own: Omit<Holder, 'generation'>, expired: Expired): Taken | Doubted | null {
  const left = readLock(file);
  const claims: string[] = [];
  let needsFence = false;
  let place = file;
  for (let last = left; left !== null && last !== null && claims.length < LONGEST_CHAIN; last = readLock(place)) {
    const holder = holderOf(last.content);
    if (holder !== null && !isDead(holder)) {
      if (expired.get(last.content) !== last.renewedAt) return { file: place, seen: last, holder };
      needsFence = true;
    }
    place = claimOf(file, last.content);
    claims.push(place);
    const made = described({ ...own, generation: (holderOf(left.content)?.generation ?? 0) + 1 });
    if (!makeLock(place, made.content)) continue;
    const isMine = isSame(readLock(file), left);
    if (isMine) replaceLock(file, made.content);
    // A process that stood still here for long was taken for dead, and another has taken the folder since.
    const isLate = readLock(place)?.content !== made.content;
    for (const claim of isMine ? claims : [place]) rmSync(claim, { force: true });
    return isMine ? { ...made, needsFence: needsFence || isLate } : null;
  }
  return null;
}

function isSame(now: SeenLock | null, before: SeenLock): boolean {
  return now !== null && now.content === before.content && now.renewedAt === before.renewedAt;
}

/**
 * Looks at a file until it was as it is for the whole time of the lease, by the clock of this process alone: clocks of two
 * machines are never compared. @throws CriteriaError RUN_LOCKED when its holder gives a sign of life.
 */
async function watch(doubted: Doubted, expired: Expired, { signal, onWait }: LeaseOptions): Promise<void> {
  const { file, seen, holder } = doubted;
  const pause = Math.min(LOOK_EVERY, holder.lease / RENEWALS / 2);
  if (!signal?.aborted) onWait?.({ file, holder: nameOfHolder(holder), atMost: holder.lease });
  for (let waited = 0, before = steadyNow(); waited < holder.lease; ) {
    await sleep(pause, undefined, { signal }).catch(() => {
      throw locked(
        file,
        `${nameOfHolder(holder)} may still be writing this run; try again in ${secondsOf(holder.lease)}`,
      );
    });
    const now = readLock(file);
    if (now === null) return;
    if (!isSame(now, seen)) throw locked(file, living(holderOf(now.content) ?? holder));
    // Where the whole machine stood still, the other process did so, too: one look counts for little.
    waited += Math.min(steadyNow() - before, 2 * pause);
    before = steadyNow();
  }
  expired.set(seen.content, seen.renewedAt);
}

function living(holder: Holder): string {
  return `${nameOfHolder(holder)} is writing this run; wait until it has finished, or stop it`;
}

function secondsOf(milliseconds: number): string {
  return `${milliseconds / 1000} s`;
}

function fenceOrGiveUp(folder: string, file: string): void {
  try {
    fenceFiles(folder);
  } catch (error) {
    rmSync(file, { force: true });
    throw error;
  }
}

function hold(file: string, { content, holder }: Taken): Lease {
  const { generation, lease } = holder;
  const every = lease / RENEWALS;
  const lost = wideController();
  let loss: CriteriaError | null = null;
  let isTold = false;
  let proven = { steady: steadyNow(), wall: timeNow() };
  /** Milliseconds since the lease was seen to be ours, by whichever clock says more: one of them stops when machines sleep. */
  const age = () => Math.max(Math.abs(steadyNow() - proven.steady), Math.abs(timeNow() - proven.wall));
  const look = (): void => {
    const now = { steady: steadyNow(), wall: timeNow() };
    const seen = readLock(file);
    if (seen?.content === content) {
      proven = now;
      return;
    }
    endInterval(timer);
    loss = locked(file, `${passedOn(seen, holder)}. This process writes nothing more`);
    lost.abort(loss);
  };
  const renew = (): void => {
    look();
    if (loss === null) utimesSync(file, timeNow() / 1000, timeNow() / 1000);
  };
  const timer = startInterval(() => {
    try {
      renew();
    } catch {
      // What cannot be renewed now is checked before the next write.
    }
  }, every).unref();
  const tell = (): void => {
    if (loss === null) return;
    isTold = true;
    throw loss;
  };
  return {
    generation,
    lost: lost.signal,
    check() {
      tell();
      if (age() < every) return;
      try {
        renew();
      } catch (error) {
        // As when there are too many open files for a moment.
        if (age() > lease / 2) throw error;
      }
      tell();
    },
    release() {
      endInterval(timer);
      held.delete(file);
      if (isTold) return;
      try {
        if (loss === null) look();
        if (loss === null) rmSync(file, { force: true });
      } catch {
        // What is left is taken over as soon as this process has ended.
      }
      tell();
    },
  };
}

function passedOn(seen: SeenLock | null, { generation, lease }: Holder): string {
  const other = seen === null ? null : holderOf(seen.content);
  if (other === null) {
    return 'the lease of this run no longer exists: another process took the run over and has ended, or the file was deleted; resume the run if it is not finished';
  }
  const generations = `generation ${other.generation}; this process had ${generation}`;
  return `${nameOfHolder(other)} has taken this run over (${generations}), because this process did not renew its lease for ${secondsOf(lease)}; wait until the other process has finished`;
}

function locked(file: string, message: string): CriteriaError {
  return new CriteriaError({ code: 'RUN_LOCKED', file, message });
}

/** Whether somebody writes this folder now, as far as can be seen without waiting: whose lease is expired does not. */
export function isWritten(folder: string): boolean {
  const file = lockFile(folder);
  if (held.has(file)) return true;
  try {
    const seen = readLock(file);
    const holder = seen === null ? null : holderOf(seen.content);
    if (seen === null || holder === null || isDead(holder)) return false;
    // This compares clocks of two machines where the folder is shared. Only what is shown depends on it, never who writes.
    return timeNow() - Number(seen.renewedAt / 1_000_000n) <= holder.lease;
  } catch {
    return false;
  }
}

/** Does some work on a folder under a lease. Releases the lease if the work fails; otherwise whoever receives it does. */
export async function withLease<T>(
  folder: string,
  options: LeaseOptions,
  work: (lease: Lease) => Promise<T>,
): Promise<T> {
  const lease = await takeLease(folder, options);
  try {
    return await work(lease);
  } catch (error) {
    try {
      lease.release();
    } catch {
      // The first error is reported.
    }
    throw error;
  }
}

/** Returns how a run takes the lease of its folder. */
export function leaseOptions(
  { lease, signal, onEvent }: Pick<RunSettings, 'signal' | 'onEvent'> & { readonly lease?: Duration | undefined },
  folder: string,
): LeaseOptions {
  const sink = eventSink(onEvent);
  return {
    lease: lease === undefined ? undefined : toMilliseconds(lease),
    signal,
    onWait: ({ holder, atMost }) => sink({ type: 'folder-awaited', folder, holder, atMost }),
  };
}
