import { isOfOlderCode, rememberedHashes, renameRun } from '@agent-criteria/project/runs';
import { deleteRun, hasLabels } from '@agent-criteria/runner';
import type { RunFilters, RunPage, RunQuery, RunSummary } from '../../api.ts';
import { mistake, refusal } from '../../http/refusal.ts';
import { inRunOrder, keepsAll, runFilter } from '../../runs/find-runs.ts';
import { type ListedRun, listedRuns } from '../../runs/listed-run.ts';
import { runFolder } from '../../runs/run-folder.ts';
import { parseRunQuery } from '../../runs/run-query.ts';
import type { Studio } from '../../studio.ts';
import { type Handlers, wholeNumber } from './handlers.ts';

/** Largest page. */
const MOST = 200;
/** Most commits to choose from. Others can still be asked for. */
const COMMITS = 200;

/** Serves the history of runs: search, filters, pages, names and deletion. */
export function runListRoutes(studio: Studio) {
  const { runListings, runs, runsFolder, apps } = studio;
  const listed = listedRuns(apps, runs.isUnderWay);
  const summaries = (found: readonly ListedRun[]): readonly RunSummary[] => {
    const hashOf = rememberedHashes();
    return found.map((run) => summaryOf(run, hashOf));
  };
  /** Returns a run as it is now. @throws A 404 refusal. */
  const oneRun = (id: string): ListedRun => {
    const listing = runListings.get(id);
    if (listing === null) throw refusal(404, `There is no run "${id}" any more.`);
    return listed(id, listing);
  };
  /** Returns runs as they are now, without those that are there no more. */
  const now = (ids: readonly string[]): readonly ListedRun[] =>
    ids.flatMap((id) => {
      const listing = runListings.get(id);
      return listing === null ? [] : [listed(id, listing)];
    });
  /** Finds runs, newest first. May stop after some, if the page needs no more and most runs have not been read yet. */
  const find = async (query: RunQuery, enough: number) => {
    const fits = runFilter(query);
    const found: ListedRun[] = [];
    if (query.ids !== undefined) {
      const only = new Set(query.ids.split(/\s+/));
      found.push(...now(runListings.ids().filter((id) => only.has(id))).filter(fits));
      return { found, isWhole: true };
    }
    const isEnough = (query.sort ?? 'newest') === 'newest' && !runListings.isComplete();
    const isWhole = await runListings.scan((id, listing) => {
      const run = listed(id, listing);
      if (fits(run)) found.push(run);
      return !isEnough || found.length < enough;
    });
    return { found, isWhole };
  };
  return {
    'GET /runs': async ({ query: texts }): Promise<RunPage> => {
      const query = parseRunQuery(texts);
      const offset = wholeNumber(texts.offset, 'offset', 0);
      const limit = Math.min(Math.max(wholeNumber(texts.limit, 'limit', 50), 1), MOST);
      const ids = runListings.ids();
      const total = ids.length;
      const isNewestFirst = query.sort === undefined || query.sort === 'newest';
      if (isNewestFirst && keepsAll(query)) {
        return { runs: summaries(now(ids.slice(offset, offset + limit))), offset, matching: total, total };
      }
      const { found, isWhole } = await find(query, offset + limit);
      const page = inRunOrder(found, query.sort).slice(offset, offset + limit);
      return { runs: summaries(now(page.map(({ id }) => id))), offset, matching: isWhole ? found.length : null, total };
    },
    'GET /run-filters': async ({ query: { app } }): Promise<RunFilters> => {
      const [sets, agents, variants, commits] = [0, 1, 2, 3].map(() => new Set<string>()) as [
        Set<string>,
        Set<string>,
        Set<string>,
        Set<string>,
      ];
      let number = 0;
      await runListings.scan((id, listing) => {
        const run = listed(id, listing);
        if (app !== undefined && !run.apps.includes(app)) return true;
        number += 1;
        for (const set of listing.sets) sets.add(set);
        for (const agent of run.agents) agents.add(agent);
        for (const variant of listing.variants ?? []) variants.add(variant);
        if (listing.commit !== undefined && commits.size < COMMITS) commits.add(listing.commit.hash.slice(0, 7));
        return true;
      });
      const sorted = (names: ReadonlySet<string>) => [...names].filter((name) => name !== '').sort();
      return {
        runs: number,
        sets: sorted(sets),
        agents: sorted(agents),
        variants: sorted(variants),
        commits: [...commits],
      };
    },
    'PATCH /runs/:run': async ({ run: id, fields }) => {
      const name = (await fields())('name');
      if (name !== null && typeof name !== 'string') {
        throw mistake(['body', 'name'], 'This must be a text, or null to remove the name.', 'string_type');
      }
      await runFolder(studio, id);
      renameRun(id, name, runsFolder);
      return summaryOf(oneRun(id), rememberedHashes());
    },
    'DELETE /runs/:run': async ({ run: id }) => {
      const folder = await runFolder(studio, id);
      if (runs.isUnderWay(id)) {
        throw refusal(409, `The run "${id}" is under way: wait until it has ended, or stop it, then delete it.`);
      }
      await deleteRun(folder, runsFolder);
      runs.forget(id);
      runListings.get(id);
      return null;
    },
  } satisfies Partial<Handlers>;
}

function summaryOf(
  { id, listing, apps, outcome, state, result }: ListedRun,
  hashOf: (file: string) => string | null,
): RunSummary {
  const { name, commit, selection, folder, agent, variants, sets, repeats, auto, startedAt, endedAt } = listing;
  const { units, summary, problem } = listing;
  return {
    id,
    ...(name === undefined ? {} : { name }),
    ...(commit === undefined ? {} : { commit }),
    ...(selection === undefined ? {} : { selection }),
    ...(isOfOlderCode(folder, hashOf) === true ? { olderCode: true } : {}),
    app: apps[0] ?? null,
    agent,
    ...(variants === undefined ? {} : { variants }),
    sets,
    repeats,
    ...(auto && { auto }),
    startedAt,
    endedAt,
    units,
    summary,
    outcome,
    state,
    result,
    ...(hasLabels(folder) ? { labelled: true } : {}),
    criteria: listing.criteria.map(({ name, threshold, range: { better } }) => ({ name, threshold, better })),
    ...(problem === undefined ? {} : { problem }),
  };
}
