import { caseFromRun } from '@agent-criteria/project/editing';
import { isOfOlderCode, rememberedHashes } from '@agent-criteria/project/runs';
import { shownOutcome } from '@agent-criteria/results/text';
import { listRun, type OpenedRun, type RunListing } from '@agent-criteria/runner';
import { withCallTexts } from '@agent-criteria/viewer';
import type { CaseRow, RunState, RunSummary } from '../../api.ts';
import { appOfAgent } from '../../apps/app.ts';
import { refusal } from '../../http/refusal.ts';
import { livePage, watchedPage } from '../../runs/live-page.ts';
import { listInside, openedRun, runFolder, runIds, shownListing } from '../../runs/run-folder.ts';
import { placesOfSets } from '../../sets/find-sets.ts';
import type { Studio } from '../../studio.ts';
import { type ApiRequest, type Handlers, pageOf, wholeNumber } from './handlers.ts';
import { lastRunsOf } from './last-runs.ts';

const MOST = 200;

/** Serves stored runs: list, summary, paged grid, and single cases, both raw and as shown on the report page. */
export function runRoutes(studio: Studio) {
  const caseIn = async (run: OpenedRun, setId: string, caseId: string, variant: string | undefined) => {
    const found = await run.case({ setId, caseId, variant });
    if (found !== undefined) return found;
    throw refusal(404, `The run has no case "${caseId}" in the set "${setId}".`);
  };
  return {
    'GET /runs': async ({ query: { before, app, limit: most } }) => {
      const ids = await runIds(studio);
      const limit = Math.min(Math.max(wholeNumber(most, 'limit', 50), 1), MOST);
      const runs: RunSummary[] = [];
      let next: string | null = null;
      const hashOf = rememberedHashes();
      // Stops reading at the first run beyond the page.
      for (const id of after(before, ids)) {
        const listing = await listInside(studio, id);
        const summary = listing === null ? null : summaryOf(studio, id, listing, hashOf);
        if (summary === null || (app !== undefined && summary.app !== app)) continue;
        if (runs.length === limit) {
          next = runs.at(-1)?.id ?? null;
          break;
        }
        runs.push(summary);
      }
      return { runs, next, total: ids.length };
    },
    'GET /last-runs': lastRunsOf(studio),
    'GET /runs/:run': async ({ run: id }) => {
      const { run } = await openedRun(studio, id);
      const { info, sets, summary, folder, scoringPlan } = run;
      const outcome = run.outcome === undefined ? null : shownOutcome(run);
      const state = stateOf(studio, id, listRun(folder));
      const app = appOfAgent(studio.apps, info.agent)?.name ?? null;
      const places = await placesOfSets(studio, new Map(sets.map(({ id: set, file }) => [set, file])));
      const judged = (scoringPlan?.sets ?? []).some(({ criteria }) =>
        criteria.some(({ models }) => Object.keys(models ?? {}).length > 0),
      );
      return {
        info,
        sets,
        summary,
        outcome,
        state,
        ...(isOfOlderCode(folder) === true ? { olderCode: true } : {}),
        judged,
        app,
        places,
      };
    },
    'GET /runs/:run/since': async ({ run: id }) => (await openedRun(studio, id)).since(),
    'GET /runs/:run/cases': async ({ run, query }) => {
      const rows = await (await openedRun(studio, run)).rows();
      return pageOf(query, rows.filter(matches(query)), (row) => row);
    },
    'GET /runs/:run/sets/:set/cases/:case': async ({ run: id, set, case: caseId, query }) =>
      caseIn((await openedRun(studio, id)).run, set, caseId, query.variant),
    'GET /runs/:run/view': async ({ run: id }) => {
      const live = studio.runs.under().find((run) => run.id === id)?.tracker;
      // Taken before the files are read: what changes meanwhile is sent as a change again.
      const progress = live?.progress();
      const opened = await openedRun(studio, id);
      if (live !== undefined && progress !== undefined) return livePage(opened, live, progress);
      return listRun(opened.run.folder)?.running === true ? watchedPage(opened) : opened.page();
    },
    'GET /runs/:run/view/:set/:case': async ({ run: id, set, case: caseId, query }) => {
      const { run } = await openedRun(studio, id);
      return withCallTexts(run)(await caseIn(run, set, caseId, query.variant));
    },
    'GET /runs/:run/view/:set/:case/reference': async ({ run: id, set: setId, case: caseId, query }) => {
      const run = await runFolder(studio, id);
      const repeat = wholeNumber(query.repeat, 'repeat', 0);
      const { evalCase } = await caseFromRun({ run, setId, caseId, repeat });
      return evalCase.conversation ?? [];
    },
  } satisfies Partial<Handlers>;
}

/**
 * Returns the ids after a given one in a list, newest first. If that id is no longer in the list, returns those that
 * sort before it.
 */
function after(id: string | undefined, ids: readonly string[]): readonly string[] {
  if (id === undefined) return ids;
  const place = ids.indexOf(id);
  return place === -1 ? ids.filter((one) => one < id) : ids.slice(place + 1);
}

/** Filters rows. `verdict` applies to the criterion if one is given, or else to the case. */
function matches({
  set,
  verdict,
  criterion,
  variant,
  text = '',
}: ApiRequest<'GET /runs/:run/cases'>['query']): (row: CaseRow) => boolean {
  const wanted = text.toLowerCase();
  return (row) => {
    const judged = criterion === undefined ? row : row.criteria.find(({ name }) => name === criterion);
    const searched = [row.setId, row.caseId, row.name ?? '', ...row.tags].join('\n').toLowerCase();
    return (
      (set === undefined || row.setId === set) &&
      (variant === undefined || row.variant === variant) &&
      judged !== undefined &&
      (verdict === undefined || verdict.split(',').includes(judged.verdict)) &&
      searched.includes(wanted)
    );
  };
}

function summaryOf(
  studio: Studio,
  id: string,
  listing: RunListing,
  hashOf: (file: string) => string | null,
): RunSummary {
  const { name, commit, selection, folder, agent, sets, repeats, auto, startedAt, endedAt, units, summary, problem } =
    listing;
  const state = stateOf(studio, id, listing);
  const app = appOfAgent(studio.apps, agent)?.name ?? null;
  return {
    id,
    ...(name === undefined ? {} : { name }),
    ...(commit === undefined ? {} : { commit }),
    ...(selection === undefined ? {} : { selection }),
    ...(isOfOlderCode(folder, hashOf) === true ? { olderCode: true } : {}),
    app,
    agent,
    sets,
    repeats,
    ...(auto && { auto }),
    startedAt,
    endedAt,
    units,
    summary,
    outcome: shownListing(listing),
    state,
    criteria: listing.criteria.map(({ name, threshold, range: { better } }) => ({ name, threshold, better })),
    ...(problem === undefined ? {} : { problem }),
  };
}

function stateOf({ runs }: Studio, id: string, listing: RunListing | null): RunState {
  if (runs.under().some((run) => run.id === id)) return 'here';
  if (listing?.running === true) return 'elsewhere';
  return listing?.endedAt === null ? 'open' : 'finished';
}
