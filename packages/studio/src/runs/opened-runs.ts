import type { RunOutcomes } from '@agent-criteria/analysis';
import { loadInstruments, type OpenedRun, openRun, outcomesOf, type Project, runStamp } from '@agent-criteria/project';
import type { PageIndex } from '@agent-criteria/viewer';
import type { CaseRow } from '../api.ts';
import { readPage } from './run-page.ts';
import { runRows } from './run-rows.ts';

/** A run that is read once, as long as nothing is added to it. */
export interface RememberedRun {
  readonly run: OpenedRun;
  rows(): Promise<readonly CaseRow[]>;
  /** With what is known of its judges now. */
  page(): Promise<PageIndex>;
  /** Its numbers, of each of its variants. */
  outcomes(): Promise<readonly RunOutcomes[]>;
}

/** The runs that were looked at last. */
export interface OpenedRuns {
  /** @throws CriteriaError RUN_NOT_FOUND, or UNKNOWN_FORMAT for a run of a newer version. */
  open(folder: string): RememberedRun;
}

/** A run of many cases takes memory: as many as are compared, and a few more. */
const MOST = 4;

export function createOpenedRuns(project: Pick<Project, 'config'>): OpenedRuns {
  const remembered = new Map<string, RememberedRun & { readonly stamp: string }>();
  return {
    open(folder) {
      // Before it is read: what comes meanwhile is noticed the next time.
      const stamp = runStamp(folder);
      const known = remembered.get(folder);
      const found = known?.stamp === stamp ? known : { ...remember(openRun(folder), project), stamp };
      remembered.delete(folder);
      remembered.set(folder, found);
      for (const oldest of remembered.keys()) {
        if (remembered.size <= MOST) break;
        remembered.delete(oldest);
      }
      return found;
    },
  };
}

function remember(run: OpenedRun, project: Pick<Project, 'config'>): RememberedRun {
  const read = once(() => readPage(run));
  return {
    run,
    rows: once(() => runRows(run)),
    page: async () => (await read())(await loadInstruments(project)),
    outcomes: once(() => outcomesOf(run)),
  };
}

/** What fails is tried again the next time. */
function once<T>(read: () => Promise<T>): () => Promise<T> {
  let reading: Promise<T> | undefined;
  return () => {
    reading ??= read();
    reading.catch(() => {
      reading = undefined;
    });
    return reading;
  };
}
