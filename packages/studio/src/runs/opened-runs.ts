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
import { type OpenedRun, openRun } from '@agent-criteria/runner';
import type { PageIndex } from '@agent-criteria/viewer';
import type { CaseRow } from '../api.ts';
import { createRunCache } from './cache.ts';
import { readPage, runRows } from './run-page.ts';

/** A cached run, valid until its files change. */
export interface RememberedRun {
  readonly run: OpenedRun;
  rows(): Promise<readonly CaseRow[]>;
  /** The page with the current statistics of its judges. */
  page(): Promise<PageIndex>;
  /** The numbers of each variant. */
  outcomes(): Promise<readonly RunOutcomes[]>;
  /** The verdicts that people can label. */
  judged(): Promise<Judged>;
  /** The things of a kind in labelling order. `draw`: default as `usualDraw`. */
  drawn(kind: Kind, draw?: Draw): Promise<DrawnThings>;
}

export interface DrawnThings {
  readonly things: readonly Judgement[];
  readonly draw: Draw;
}

/** Enough for comparisons; large runs take much memory. */
const MOST = 4;

export type OpenedRuns = ReturnType<typeof createOpenedRuns>;

/** A cache of recently opened runs. */
export function createOpenedRuns(project: Pick<Project, 'config'>) {
  const remembered = createRunCache<RememberedRun>(MOST);
  return {
    /** @throws CriteriaError RUN_NOT_FOUND, or UNKNOWN_FORMAT for a run of a newer version. */
    open: (folder: string) => remembered.read(folder, '', () => remember(openRun(folder), project)),
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
      // Unknown kinds are not cached.
      if (all.length > 0) drawn.set(key, found);
      return found;
    },
  };
}

/** Caches a result; failures are tried again. */
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
