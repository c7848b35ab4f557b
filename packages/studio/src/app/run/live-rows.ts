import type { PageIndex } from '@agent-criteria/viewer/views';
import type { CaseIds, LiveChange, LiveRow } from '../../api.ts';

/** Changes to the rows of a run in flight that are newer than its page. */
export interface LiveRows {
  readonly progress: PageIndex['progress'];
  readonly rows: ReadonlyMap<string, { readonly version: number; readonly row: LiveRow['row'] }>;
}

export const NO_ROWS: LiveRows = { progress: undefined, rows: new Map() };

export function addChange(before: LiveRows, { progress, rows }: LiveChange): LiveRows {
  const next = new Map(before.rows);
  for (const { row, ...ids } of rows) next.set(textOf(ids), { version: progress.version, row });
  return { progress, rows: next };
}

/** Drops the changes that a newly read page contains. */
export function dropOld(before: LiveRows, page: PageIndex): LiveRows {
  const { progress } = page;
  if (progress === undefined) return NO_ROWS;
  const rows = new Map([...before.rows].filter(([, { version }]) => version > progress.version));
  return { progress: (before.progress?.version ?? 0) > progress.version ? before.progress : progress, rows };
}

/** Applies changes to a page. */
export function withChanges(page: PageIndex, { progress, rows }: LiveRows): PageIndex {
  const read = page.progress;
  if (read === undefined || progress === undefined || progress.version <= read.version) return page;
  if (rows.size === 0) return { ...page, progress };
  const { sets, info } = page;
  const cases = page.cases.map((row) => {
    const variant = info.variants?.[row.variant ?? -1]?.name;
    const change = rows.get(textOf({ setId: sets[row.set]?.id ?? '', caseId: row.id, variant }));
    return change === undefined || change.version <= read.version ? row : { ...row, ...change.row };
  });
  return { ...page, cases, progress };
}

function textOf({ setId, caseId, variant }: CaseIds): string {
  return JSON.stringify([setId, caseId, variant]);
}
