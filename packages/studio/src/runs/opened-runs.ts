import { dirname } from 'node:path';
import {
  collectStatistics,
  type Judged,
  type Judgement,
  judgedOf,
  type Kind,
  type MeasuredFile,
  type RunChanges,
  type RunOutcomes,
  thingsToLabel,
} from '@agent-criteria/analysis';
import { statisticsSections } from '@agent-criteria/analysis/text';
import type { CaseResult } from '@agent-criteria/core/host';
import { tagsOf } from '@agent-criteria/formats';
import type { Project } from '@agent-criteria/project';
import {
  changesSinceRunBefore,
  inDrawnOrder,
  loadInstruments,
  outcomesOf,
  usedBy,
  usualDraw,
} from '@agent-criteria/project/runs';
import { addUsage, type Draw, type RunUsage, usageOf } from '@agent-criteria/results';
import { shownOutcome } from '@agent-criteria/results/text';
import { type OpenedRun, openRun } from '@agent-criteria/runner';
import { caseRow, type PageIndex, type Pending, titleOf } from '@agent-criteria/viewer';
import type { CaseRow } from '../api.ts';
import { createRunCache } from './cache.ts';

/** A cached run, valid until its files change. */
export interface RememberedRun {
  readonly run: OpenedRun;
  rows(): Promise<readonly CaseRow[]>;
  /** Returns the run's page with the current statistics of its judges. */
  page(): Promise<PageIndex>;
  /** Returns the cases of an unfinished run that have no result yet, by their position in its page. */
  pending(): Promise<ReadonlyMap<number, Pending>>;
  /** Returns the verdicts that changed since the run before, or `null` if there is none or the run is not finished. */
  since(): Promise<RunChanges | null>;
  /** Returns the outcomes of each variant. */
  outcomes(): Promise<readonly RunOutcomes[]>;
  /** Returns the verdicts that people can label. */
  judged(): Promise<Judged>;
  /** Returns the items of a kind in labelling order. `draw` defaults to `usualDraw`. */
  drawn(kind: Kind, draw?: Draw): Promise<DrawnThings>;
}

export interface DrawnThings {
  readonly things: readonly Judgement[];
  readonly draw: Draw;
}

/** Maximum number of cached runs. Enough for comparisons; large runs take a lot of memory. */
const MOST = 4;

export type OpenedRuns = ReturnType<typeof createOpenedRuns>;

/** Creates a cache of recently opened runs. */
export function createOpenedRuns(project: Pick<Project, 'config'>) {
  const remembered = createRunCache<RememberedRun>(MOST);
  return {
    /** @throws CriteriaError RUN_NOT_FOUND, or UNKNOWN_FORMAT if a newer version wrote the run. */
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
    page: async () => (await read()).page(await loadInstruments(project)),
    pending: async () => (await read()).pending,
    since: once(() => changesSinceRunBefore(run, dirname(run.folder))),
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

/** Caches a result. A failed call is retried the next time. */
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

/** Reads a run's page. `page` adds the current statistics of its judges. */
interface ReadPage {
  readonly page: (measured: readonly MeasuredFile[]) => PageIndex;
  readonly pending: ReadonlyMap<number, Pending>;
}

async function readPage(run: OpenedRun): Promise<ReadPage> {
  const { info, sets, summary, warnings } = run;
  const places = new Map(run.sets.map(({ id }, place) => [id, place]));
  const variants = new Map(run.info.variants?.map(({ name }, place) => [name, place]));
  const cases: ReturnType<typeof caseRow>[] = [];
  const pending = new Map<number, Pending>();
  let usage: RunUsage = {};
  const statistics = collectStatistics(run, { used: usedBy(run) });
  for await (const one of run.cases()) {
    usage = addUsage(usage, usageOf(one));
    statistics.add(one);
    const state = pendingState(one.result, info.repeats);
    if (state !== undefined) pending.set(cases.length, state);
    cases.push(
      caseRow(one, places.get(one.setId) ?? 0, one.variant === undefined ? undefined : variants.get(one.variant)),
    );
  }
  const outcome = run.outcome && shownOutcome(run);
  const page = { title: titleOf(run), info, sets, summary, outcome, warnings, cases, usage };
  return { page: (measured) => ({ ...page, certainty: statisticsSections(statistics.list(measured)) }), pending };
}

/** Tells a case without a result, which a record shows as an error, from one that really ended in an error. */
function pendingState({ verdict, criteria, units }: CaseResult, repeats: number): Pending | undefined {
  if (verdict !== 'error' || criteria.length > 0) return undefined;
  const isUnscored = units.some((unit) => unit.verdict === 'not-evaluated');
  if (units.length >= repeats && !isUnscored) return undefined;
  return units.length === 0 ? 'waiting' : 'running';
}

async function runRows(run: OpenedRun): Promise<readonly CaseRow[]> {
  const rows: CaseRow[] = [];
  for await (const { setId, variant, evalCase, result, inferred } of run.heads()) {
    const { name } = evalCase as { readonly name?: unknown };
    rows.push({
      setId,
      caseId: evalCase.evalId,
      ...(variant === undefined ? {} : { variant }),
      name: typeof name === 'string' ? name : null,
      tags: tagsOf(evalCase),
      verdict: result.verdict,
      ...(result.reason === undefined ? {} : { reason: result.reason }),
      repeats: inferred,
      criteria: result.criteria.map(({ name: criterion, verdict, score, threshold, coverage }) => {
        return { name: criterion, verdict, score, threshold, coverage };
      }),
    });
  }
  return rows;
}
