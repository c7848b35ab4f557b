import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Duration, toMilliseconds, wideController } from '@agent-criteria/calls';
import { CriteriaError } from '@agent-criteria/core';
import { stringifyJson } from '@agent-criteria/formats';
import { eventSink } from '../engine/events.ts';
import { existsSync, rmSync, utimesSync } from '../node-fs.ts';
import { endInterval, startInterval, steadyNow, timeNow } from '../own-globals.ts';
import { runDefaults } from '../run-defaults.ts';
import type { RunSettings } from '../settings.ts';
import { fenceFiles } from './fence-files.ts';
import { claimOf, lockFile, makeLock, readLock, type SeenLock } from './lock-file.ts';
import { isDead, type LockOwner, nameOfOwner, ownerOf, thisProcess } from './lock-owner.ts';
import { writeWhole } from './write-file.ts';

/** The right to write to a run folder, valid while it is renewed. docs/decisions/0015 explains its design. */
export interface Lease {
  /** Starts at 1, and is one higher than that of the lease that was taken over. */
  readonly generation: number;
  /** Aborts when this process notices that another one has taken over the folder. */
  readonly lost: AbortSignal;
  /**
   * Must be called before each write.
   * @throws CriteriaError RUN_LOCKED if another process has taken over the folder.
   */
  check(): void;
  /** Releases the folder. @throws CriteriaError like `check`, unless `check` has already thrown it. */
  release(): void;
}

export interface LeaseOptions {
  /**
   * How many milliseconds may pass without a renewal before other processes may take over the folder. Default 30,000.
   */
  readonly lease?: number | undefined;
  /** Ends the wait for an owner that may have ended. Taking the lease then fails. */
  readonly signal?: AbortSignal | undefined;
  /** Called when the owner has to be watched, with its name and the longest wait in milliseconds. */
  readonly onWait?: ((wait: { readonly holder: string; readonly atMost: number }) => void) | undefined;
}

const heldKey = Symbol.for('@agent-criteria/runner/locks');
const copies = globalThis as { [heldKey]?: Set<string> };
/** The files of the leases that this process holds, including those held by another copy of this package. */
const held = copies[heldKey] ?? new Set<string>();
copies[heldKey] = held;

/** The largest number of processes that may have ended while taking over the same lease. */
const LONGEST_CHAIN = 8;
/** The number of renewals within a lease's duration. One would do, but a busy process may miss several. */
const RENEWALS = 10;
/** The longest interval in milliseconds between two checks of a lease being watched. */
const LOOK_EVERY = 250;

/**
 * Makes this process the only writer of a run folder. A lease whose owner has certainly ended is taken over
 * immediately. Any other lease is taken over if it is not renewed for its whole duration while this process watches it.
 * @throws CriteriaError RUN_LOCKED if the owner renews its lease.
 */
export async function takeLease(folder: string, options: LeaseOptions = {}): Promise<Lease> {
  const file = lockFile(folder);
  if (held.has(file)) throw locked(file, 'this process is already writing this run; wait until it has finished');
  held.add(file);
  try {
    const own = await take(file, options);
    try {
      if (own.needsFence) fenceFiles(folder);
    } catch (error) {
      rmSync(file, { force: true });
      throw error;
    }
    return hold(file, own);
  } catch (error) {
    held.delete(file);
    throw error;
  }
}

interface Taken {
  readonly content: string;
  readonly owner: LockOwner;
  /** Whether the previous owner may still be in the middle of a write. */
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

function described(owner: LockOwner): { readonly content: string; readonly owner: LockOwner } {
  return { content: `${stringifyJson(owner)}\n`, owner };
}

/** Leases that were watched for their whole duration: the time of their last renewal, by content. */
type Expired = Map<string, bigint>;

/** A lease whose owner may still be running. */
interface Uncertain {
  readonly file: string;
  readonly seen: SeenLock;
  readonly owner: LockOwner;
}

/**
 * Takes over a lease whose owner has ended or has let it expire. If several processes try, only the one that creates
 * the claim, a file named after the content of the lease, may replace the lease, and only if it is unchanged.
 * @returns `null` if another process was faster.
 */
function takeOver(file: string, own: Omit<LockOwner, 'generation'>, expired: Expired): Taken | Uncertain | null {
  const left = readLock(file);
  const claims: string[] = [];
  let needsFence = false;
  let place = file;
  for (let last = left; left !== null && last !== null && claims.length < LONGEST_CHAIN; last = readLock(place)) {
    const owner = ownerOf(last.content);
    if (owner !== null && !isDead(owner)) {
      if (expired.get(last.content) !== last.renewedAt) return { file: place, seen: last, owner };
      needsFence = true;
    }
    place = claimOf(file, last.content);
    claims.push(place);
    const made = described({ ...own, generation: (ownerOf(left.content)?.generation ?? 0) + 1 });
    if (!makeLock(place, made.content)) continue;
    const isMine = isSame(readLock(file), left);
    if (isMine) writeWhole(file, made.content);
    // If this process was suspended here for long enough, another one may have taken over the folder since.
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
 * Watches a lease until it has gone unrenewed for its whole duration. Measures by this process's clock, so the clocks
 * of two machines are never compared.
 * @throws CriteriaError RUN_LOCKED if the owner renews it.
 */
async function watch(uncertain: Uncertain, expired: Expired, { signal, onWait }: LeaseOptions): Promise<void> {
  const { file, seen, owner } = uncertain;
  const pause = Math.min(LOOK_EVERY, owner.lease / RENEWALS / 2);
  if (!signal?.aborted) onWait?.({ holder: nameOfOwner(owner), atMost: owner.lease });
  for (let waited = 0, before = steadyNow(); waited < owner.lease; ) {
    await sleep(pause, undefined, { signal }).catch(() => {
      throw locked(file, `${nameOfOwner(owner)} may still be writing this run; try again in ${secondsOf(owner.lease)}`);
    });
    const now = readLock(file);
    if (now === null) return;
    if (!isSame(now, seen)) throw locked(file, living(ownerOf(now.content) ?? owner));
    // If this machine was suspended, so was the other process. Therefore one interval never counts for more than two
    // pauses.
    waited += Math.min(steadyNow() - before, 2 * pause);
    before = steadyNow();
  }
  expired.set(seen.content, seen.renewedAt);
}

function living(owner: LockOwner): string {
  return `${nameOfOwner(owner)} is writing this run; wait until it has finished, or stop it`;
}

function secondsOf(milliseconds: number): string {
  return `${milliseconds / 1000} s`;
}

/** Renews the lease until it is released. */
function hold(file: string, { content, owner }: Taken): Lease {
  const { generation, lease } = owner;
  const every = lease / RENEWALS;
  const lost = wideController();
  let loss: CriteriaError | null = null;
  let isReported = false;
  let proven = { steady: steadyNow(), wall: timeNow() };
  /**
   * Milliseconds since the lease was last known to be ours. Uses whichever clock shows more, because one of them stops
   * while the machine sleeps.
   */
  const age = () => Math.max(Math.abs(steadyNow() - proven.steady), Math.abs(timeNow() - proven.wall));
  const look = (): void => {
    const now = { steady: steadyNow(), wall: timeNow() };
    const seen = readLock(file);
    if (seen?.content === content) {
      proven = now;
      return;
    }
    endInterval(timer);
    loss = locked(file, `${passedOn(seen, owner)}. This process writes nothing more`);
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
      // The next write checks the lease again.
    }
  }, every).unref();
  const reportLoss = (): void => {
    if (loss === null) return;
    isReported = true;
    throw loss;
  };
  return {
    generation,
    lost: lost.signal,
    check() {
      reportLoss();
      if (age() < every) return;
      try {
        renew();
      } catch (error) {
        // The failure may be temporary, such as too many open files.
        if (age() > lease / 2) throw error;
      }
      reportLoss();
    },
    release() {
      endInterval(timer);
      held.delete(file);
      if (isReported) return;
      try {
        if (loss === null) look();
        if (loss === null) rmSync(file, { force: true });
      } catch {
        // A lease left behind is taken over as soon as this process has ended.
      }
      reportLoss();
    },
  };
}

function passedOn(seen: SeenLock | null, { generation, lease }: LockOwner): string {
  const other = seen === null ? null : ownerOf(seen.content);
  if (other === null) {
    return 'the lease of this run no longer exists: another process took the run over and has ended, or the file was deleted; resume the run if it is not finished';
  }
  const generations = `generation ${other.generation}; this process had ${generation}`;
  return `${nameOfOwner(other)} has taken this run over (${generations}), because this process did not renew its lease for ${secondsOf(lease)}; wait until the other process has finished`;
}

function locked(file: string, message: string): CriteriaError {
  return new CriteriaError({ code: 'RUN_LOCKED', file, message });
}

/**
 * Whether a process is currently writing to this folder, as far as can be determined without waiting. An expired lease
 * does not count.
 */
export function isWritten(folder: string): boolean {
  // Most runs have no lease, and seeing that is much faster than resolving links.
  if (held.size === 0 && !existsSync(join(folder, 'lock'))) return false;
  const file = lockFile(folder);
  if (held.has(file)) return true;
  try {
    const seen = readLock(file);
    const owner = seen === null ? null : ownerOf(seen.content);
    if (seen === null || owner === null || isDead(owner)) return false;
    // In a shared folder, this compares the clocks of two machines. Only run listings depend on it, never the right to
    // write.
    return timeNow() - Number(seen.renewedAt / 1_000_000n) <= owner.lease;
  } catch {
    return false;
  }
}

/** Runs some work under a folder's lease. Releases the lease if the work fails; otherwise, the caller must. */
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
      // Report the first error.
    }
    throw error;
  }
}

/** Returns the options with which a run takes its folder's lease. */
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
