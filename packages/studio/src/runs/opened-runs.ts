import {
  type Judged,
  type Judgement,
  judgedOf,
  type Kind,
  type RunOutcomes,
  thingsToLabel,
} from '@agent-criteria/analysis';
import type { Project } from '@agent-criteria/project';
import { inDrawnOrder, loadInstruments, outcomesOf, usedBy, usualDraw } from '@agent-criteria/project/runs';
import type { Draw } from '@agent-criteria/results';
import { type OpenedRun, openRun, runStamp } from '@agent-criteria/runner';
import type { PageIndex } from '@agent-criteria/viewer';
import type { CaseRow } from '../api.ts';
import { readPage, runRows } from './run-page.ts';

/** A run that is read once, as long as nothing is added to it. */
export interface RememberedRun {
  readonly run: OpenedRun;
  rows(): Promise<readonly CaseRow[]>;
  /** With what is known of its judges now. */
  page(): Promise<PageIndex>;
  /** Its numbers, of each of its variants. */
  outcomes(): Promise<readonly RunOutcomes[]>;
  /** What was said of each thing that people may label. */
  judged(): Promise<Judged>;
  /** The things of a kind in the order in which they are labelled; `draw`: default as `usualDraw`. */
  drawn(kind: Kind, draw?: Draw): Promise<DrawnThings>;
}

export interface DrawnThings {
  readonly things: readonly Judgement[];
  readonly draw: Draw;
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
  const judged = once(() => judgedOf(run, { used: usedBy(run) }));
  const drawn = new Map<string, DrawnThings>();
  return {
    run,
    rows: once(() => runRows(run)),
    page: async () => (await read())(await loadInstruments(project)),
    outcomes: once(() => outcomesOf(run)),
    judged,
    async drawn(kind, asked) {
      const key = JSON.stringify([kind, asked]);
      const known = drawn.get(key);
      if (known !== undefined) return known;
      const all = thingsToLabel(await judged(), kind);
      const draw = asked ?? usualDraw(all);
      const found = { things: inDrawnOrder(all, run.info.id, draw), draw };
      // A request may name what there is not.
      if (all.length > 0) drawn.set(key, found);
      return found;
    },
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
