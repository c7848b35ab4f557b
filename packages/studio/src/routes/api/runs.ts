import { caseFromRun } from '@agent-criteria/project/editing';
import { isOfOlderCode } from '@agent-criteria/project/runs';
import { shownOutcome } from '@agent-criteria/results/text';
import { listRun, type OpenedRun, type RunListing } from '@agent-criteria/runner';
import { withCallTexts } from '@agent-criteria/viewer';
import type { CaseRow, RunState } from '../../api.ts';
import { refusal } from '../../http/refusal.ts';
import { appOfRun } from '../../runs/agents-of-run.ts';
import { livePage, watchedPage } from '../../runs/live-page.ts';
import { openedRun, runFolder } from '../../runs/run-folder.ts';
import { placesOfSets } from '../../sets/find-sets.ts';
import type { Studio } from '../../studio.ts';
import { type ApiRequest, type Handlers, pageOf, wholeNumber } from './handlers.ts';
import { lastRunsOf } from './last-runs.ts';

/** Serves stored runs: summary, paged grid, and single cases, both raw and as shown on the report page. */
export function runRoutes(studio: Studio) {
  const caseIn = async (run: OpenedRun, setId: string, caseId: string, variant: string | undefined) => {
    const found = await run.case({ setId, caseId, variant });
    if (found !== undefined) return found;
    throw refusal(404, `The run has no case "${caseId}" in the set "${setId}".`);
  };
  return {
    'GET /last-runs': lastRunsOf(studio),
    'GET /runs/:run': async ({ run: id }) => {
      const { run } = await openedRun(studio, id);
      const { info, sets, summary, folder, scoringPlan } = run;
      const outcome = run.outcome === undefined ? null : shownOutcome(run);
      const state = stateOf(studio, id, listRun(folder));
      const app =
        appOfRun(studio.apps, { agent: info.agent, variants: info.variants?.map(({ name }) => name) })?.name ?? null;
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

function stateOf({ runs }: Studio, id: string, listing: RunListing | null): RunState {
  if (runs.under().some((run) => run.id === id)) return 'here';
  if (listing?.running === true) return 'elsewhere';
  return listing?.endedAt === null ? 'open' : 'finished';
}
