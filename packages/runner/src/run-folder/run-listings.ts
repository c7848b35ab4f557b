import { join } from 'node:path';
import { CriteriaError } from '@agent-criteria/core';
import { existsSync, lstatSync, readdirSync, statSync } from '../node-fs.ts';
import { steadyNow, timeNow } from '../own-globals.ts';
import { layout, listScorings } from './layout.ts';
import { isWritten } from './lease.ts';
import { listRun, type RunListing, runStamp } from './list-runs.ts';

/** The listings of the runs in a folder, kept in memory, because a finished run hardly ever changes. */
export interface RunListings {
  /**
   * Lists the ids of all runs, newest first. Reads only the runs that began in the same second. Links are left out.
   * @throws CriteriaError FILE_UNREADABLE if the folder exists but cannot be read.
   */
  ids(): readonly string[];
  /** Whether a run has exactly this id, which may be any text. */
  has(id: string): boolean;
  /**
   * Returns the listing of a run as it is now, or `null` if it is there no more. Called after a change, it makes the change
   * known to `scan`.
   * @param id An id from `ids`, or one that `has` has confirmed.
   */
  get(id: string): RunListing | null;
  /**
   * Visits all runs, newest first, until `visit` returns `false`. Other work gets its turn in between. A change that another
   * process made to a finished run, such as its name, may be missing for ten seconds.
   * @returns whether all were visited.
   * @throws CriteriaError FILE_UNREADABLE if the folder exists but cannot be read.
   */
  scan(visit: (id: string, listing: RunListing) => boolean): Promise<boolean>;
  /** Whether all runs of the last `ids` have been read, so that a scan takes no longer than to see which have changed. */
  isComplete(): boolean;
}

interface Kept {
  readonly listing: RunListing;
  /** The `runStamp` of the folder, or `null` if it was not taken. */
  readonly exact: string | null;
  readonly quick: QuickStamp;
  /** Whether every later change of ours will change `quick`. */
  readonly isSettled: boolean;
}

/** Matches the start time, to the second, that ids begin with. */
const SECOND = /^\d{8}-\d{6}(?=-)/;
/** Milliseconds in which two changes of a folder may get the same time. Some file systems count only whole seconds. */
const COARSE = 3000;
/** Milliseconds for which a scan is not repeated. */
const FRESH = 10_000;
/** Milliseconds of work between two breaks. */
const SLICE = 12;

/**
 * @param runsFolder The folder for runs, which need not exist yet.
 * @param now A clock that never goes back, in milliseconds. Default: that of the machine.
 */
export function createRunListings(runsFolder: string, now: () => number = steadyNow): RunListings {
  const kept = new Map<string, Kept>();
  /** Names of folders that were runs when they were last seen. */
  const runs = new Set<string>();
  let sorted: { readonly names: string; readonly ids: readonly string[] } = { names: '', ids: [] };
  let scannedAt = Number.NEGATIVE_INFINITY;

  const folderOf = (id: string) => join(runsFolder, id);
  const isRun = (id: string): boolean => {
    if (!runs.has(id) && existsSync(layout.plan(folderOf(id)))) runs.add(id);
    return runs.has(id);
  };
  const read = (id: string, isExact: boolean): RunListing | null => {
    const folder = folderOf(id);
    const readAt = timeNow();
    // Taken before reading, so that a concurrent change is noticed next time.
    const exact = isExact ? runStamp(folder) : null;
    const listing = listRun(folder);
    if (listing === null) {
      kept.delete(id);
      runs.delete(id);
      return null;
    }
    const { running, endedAt } = listing;
    // A run that changes while it is read is not settled, so this can be taken afterwards.
    const quick = quickStamp(folder, lastScoring(listing));
    // The files of a run under way grow without a change to their folder.
    const isSettled = quick.changedAt < readAt - COARSE && !running && endedAt !== null;
    kept.set(id, { listing, exact, quick, isSettled });
    return listing;
  };
  const get = (id: string): RunListing | null => {
    const known = kept.get(id);
    const folder = folderOf(id);
    if (known === undefined || known.exact === null || known.exact !== runStamp(folder)) return read(id, true);
    return known.listing.running === isWritten(folder) ? known.listing : read(id, true);
  };
  const getQuickly = (id: string, isFresh: boolean): RunListing | null => {
    const known = kept.get(id);
    if (known === undefined) return read(id, false);
    if (!known.isSettled) return get(id);
    if (isFresh) return known.listing;
    return quickStamp(folderOf(id), known.quick.scoring).text === known.quick.text ? known.listing : read(id, false);
  };
  const ids = (): readonly string[] => {
    const names = foldersIn(runsFolder).filter(isRun);
    const text = names.join('/');
    if (text !== sorted.names) sorted = { names: text, ids: newestFirst(names, (id) => get(id)?.startedAt ?? 0) };
    return sorted.ids;
  };
  return {
    ids,
    has: (id) => foldersIn(runsFolder).includes(id) && isRun(id),
    get: (id) => (isFolder(folderOf(id)) && isRun(id) ? get(id) : null),
    async scan(visit) {
      const startedAt = now();
      const isFresh = startedAt - scannedAt < FRESH;
      let resumedAt = startedAt;
      for (const id of ids()) {
        if (now() - resumedAt > SLICE) {
          await new Promise<void>((settle) => {
            setImmediate(settle);
          });
          resumedAt = now();
        }
        const listing = getQuickly(id, isFresh);
        if (listing !== null && !visit(id, listing)) return false;
      }
      if (!isFresh) scannedAt = startedAt;
      return true;
    },
    isComplete: () => sorted.ids.every((id) => kept.has(id)),
  };
}

function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** Lists the names of folders, without links. */
function foldersIn(folder: string): readonly string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    const message = `the saved runs cannot be listed: ${(error as Error).message}`;
    throw new CriteriaError({ code: 'FILE_UNREADABLE', file: folder, message }, { cause: error });
  }
}

/** Sorts ids by their second, and those of the same second by their exact start. */
function newestFirst(ids: readonly string[], startOf: (id: string) => number): readonly string[] {
  const descending = (a: string, b: string) => (a < b ? 1 : -1);
  const sorted = [...ids].sort(descending);
  const seconds = sorted.map((id) => SECOND.exec(id)?.[0]);
  const starts = new Map<string, number>();
  for (const [index, id] of sorted.entries()) {
    const second = seconds[index];
    const isAlone = second !== seconds[index - 1] && second !== seconds[index + 1];
    // Reads a run only if its id is ambiguous.
    if (second !== undefined && !isAlone) starts.set(id, startOf(id));
  }
  if (starts.size === 0) return sorted;
  return sorted.sort((a, b) => {
    const [start, other] = [starts.get(a), starts.get(b)];
    const isOfSameSecond = start !== undefined && other !== undefined && a.slice(0, 15) === b.slice(0, 15);
    return isOfSameSecond ? other - start || descending(a, b) : descending(a, b);
  });
}

interface QuickStamp {
  readonly text: string;
  /** The last scoring pass, if there is one. */
  readonly scoring: number | undefined;
  /** Milliseconds since the epoch. */
  readonly changedAt: number;
}

/** Returns the number of the last scoring pass. Nearly every run has only the first one. */
function lastScoring({ folder, scorings }: RunListing): number | undefined {
  const isFirst = scorings === 1 && existsSync(layout.scoringPlan(folder, 1));
  return isFirst ? 1 : listScorings(folder).at(-1);
}

/**
 * Looks only at two folders. Every change of ours to a run begins with its lease, which is a file in its folder, or replaces a
 * file; only the summary and the outcome are written later, to the folder of the scoring pass.
 */
function quickStamp(folder: string, scoring: number | undefined): QuickStamp {
  const folders = scoring === undefined ? [folder] : [folder, layout.scoring(folder, scoring)];
  const found = folders.map((one) => statSync(one, { throwIfNoEntry: false }));
  return {
    text: found.map((one) => (one === undefined ? 'none' : `${one.mtimeMs} ${one.ino}`)).join('\n'),
    scoring,
    changedAt: Math.max(...found.map((one) => one?.mtimeMs ?? 0)),
  };
}
