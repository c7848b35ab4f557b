import type { PageIndex, RunProgress } from '@agent-criteria/viewer';
import type { CaseIds } from '../api.ts';
import type { RememberedRun } from './opened-runs.ts';
import { pendingRow, type RunTracker } from './run-tracker.ts';

/** Returns the page of a run in flight in this studio, brought up to date by what the studio knows. */
export async function livePage(run: RememberedRun, tracker: RunTracker, progress: RunProgress): Promise<PageIndex> {
  const page = await withPending(run);
  const { info, sets } = page;
  const cases = page.cases.map((row) => {
    const variant = info.variants?.[row.variant ?? -1]?.name;
    const ids: CaseIds = { setId: sets[row.set]?.id ?? '', caseId: row.id, variant };
    return tracker.update(row, ids);
  });
  return { ...page, cases, progress };
}

/** Returns the page of a run that another process works on, of which only the files are known. */
export async function watchedPage(run: RememberedRun): Promise<PageIndex> {
  const page = await withPending(run);
  const { startedAt, units } = page.info;
  const counts = { done: units.finished, doneBefore: 0, total: units.total, running: null };
  return { ...page, progress: { version: 0, ...counts, startedAt, turnTimeout: null } };
}

/** Replaces the errors that stand for missing results, and leaves out the outcome, which is not final. */
async function withPending(run: RememberedRun): Promise<PageIndex> {
  const [page, pending] = [await run.page(), await run.pending()];
  const cases = page.cases.map((row, place) => {
    const state = pending.get(place);
    return state === undefined ? row : { ...row, ...pendingRow(state) };
  });
  return { ...page, cases, outcome: undefined };
}
