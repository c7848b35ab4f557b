import { shownOutcome } from '@agent-criteria/results/text';
import { listRun, type RunListing } from '@agent-criteria/runner';
import { type Context, Hono } from 'hono';
import type { CaseRow, RunDetail, RunPage, RunState, RunSummary } from '../../api.ts';
import { appOfAgent } from '../../apps/app-of-agent.ts';
import { pageOf, wholeQuery } from '../../http/page-of.ts';
import { refusal } from '../../http/refusal.ts';
import { listInside } from '../../runs/list-inside.ts';
import { runFolder, runIds } from '../../runs/run-folder.ts';
import { shownListing } from '../../runs/shown-listing.ts';
import { placesOfSets } from '../../sets/places-of-sets.ts';
import type { Studio } from '../../studio.ts';

const MOST = 200;

/** What is kept of runs: lists of summaries, a grid in pages, one case in full. */
export function runRoutesOfApi(studio: Studio): Hono {
  const opened = async (c: Context) => studio.openedRuns.open(await runFolder(studio, c.req.param('run') ?? ''));
  return new Hono()
    .get('/runs', async (c) => {
      const ids = await runIds(studio);
      const { before, app } = { before: c.req.query('before'), app: c.req.query('app') };
      const limit = Math.min(Math.max(wholeQuery(c, 'limit', 50), 1), MOST);
      const runs: RunSummary[] = [];
      let next: string | null = null;
      // Only as many are read as are shown.
      for (const id of after(before, ids)) {
        const listing = await listInside(studio, id);
        const summary = listing === null ? null : summaryOf(studio, id, listing);
        if (summary === null || (app !== undefined && summary.app !== app)) continue;
        if (runs.length === limit) {
          next = runs.at(-1)?.id ?? null;
          break;
        }
        runs.push(summary);
      }
      return c.json({ runs, next, total: ids.length } satisfies RunPage);
    })
    .get('/runs/:run', async (c) => {
      const { run } = await opened(c);
      const { info, sets, summary, folder, scoringPlan } = run;
      const outcome = run.outcome === undefined ? null : shownOutcome(run);
      const state = stateOf(studio, c.req.param('run'), listRun(folder));
      const app = appOfAgent(studio.apps, info.agent)?.name ?? null;
      const places = await placesOfSets(studio, new Map(sets.map(({ id: set, file }) => [set, file])));
      const judged = (scoringPlan?.sets ?? []).some(({ criteria }) =>
        criteria.some(({ models }) => Object.keys(models ?? {}).length > 0),
      );
      return c.json({ info, sets, summary, outcome, state, judged, app, places } satisfies RunDetail);
    })
    .get('/runs/:run/cases', async (c) => {
      const rows = await (await opened(c)).rows();
      return c.json(pageOf(c, rows.filter(fits(c)), (row) => row));
    })
    .get('/runs/:run/sets/:set/cases/:case', async (c) => {
      const { set, case: caseId } = c.req.param();
      const found = await (await opened(c)).run.case({ setId: set, caseId, variant: c.req.query('variant') });
      if (found === undefined) throw refusal(404, `The run has no case "${caseId}" in the set "${set}".`);
      return c.json(found);
    });
}

/** The ids that follow one in a list, the newest first. If it is no longer there, the ids that sort before it. */
function after(id: string | undefined, ids: readonly string[]): readonly string[] {
  if (id === undefined) return ids;
  const place = ids.indexOf(id);
  return place === -1 ? ids.filter((one) => one < id) : ids.slice(place + 1);
}

/** `verdict` is that of the case or, with `criterion`, that of the criterion. */
function fits(c: Context): (row: CaseRow) => boolean {
  const { set, verdict, criterion, variant, text = '' } = c.req.query();
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

function summaryOf(studio: Studio, id: string, listing: RunListing): RunSummary {
  const { agent, sets, repeats, auto, startedAt, endedAt, units, summary, problem } = listing;
  const state = stateOf(studio, id, listing);
  const app = appOfAgent(studio.apps, agent)?.name ?? null;
  return {
    id,
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
