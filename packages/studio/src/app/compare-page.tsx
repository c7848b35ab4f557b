import type { ComparedCase } from '@agent-criteria/analysis';
import {
  ComparedCaseView,
  type ComparedRuns,
  ComparedRunsView,
  type Side,
  type SideDetails,
  shownCases,
} from '@agent-criteria/viewer/compared-views';
import { count, runAddress, visible } from '@agent-criteria/viewer/views';
import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import type { RunDetail } from '../api.ts';
import { Answered, useAnswer } from './answer.tsx';
import { Button } from './button.tsx';
import { criteriaDifferences, runTitle } from './compared-differences.ts';
import { ComparedRun, CriteriaDifferences } from './compared-runs.tsx';
import { useListKeys, useStudioKeys } from './keys.ts';
import { pin, pinOf } from './pinned.ts';
import { compareRoute, formatRoute, matrixRoute, type Route } from './route.ts';
import { go, restoreScroll } from './router.ts';
import { useShownPlace } from './shown-place.ts';
import type { Loaded } from './store.ts';
import { complain } from './toasts.tsx';
import { View } from './view.tsx';

type Compared = Extract<Route, { view: 'compare' }>;

/** Options for the smallest change that counts. */
const EFFECTS = [0.01, 0.02, 0.05, 0.1] as const;

/** Compares two runs of the same cases: changes, how certain they are, and the cases side by side. */
export function ComparePage({ route }: { readonly route: Compared }) {
  const [base, candidate] = route.runs;
  const [effect, setEffect] = useState(0.05);
  const found = useAnswer('GET /comparison', { query: { base, candidate, min_effect: effect } });
  const { opened } = route;
  const before = detailIn(useAnswer('GET /runs/:run', { run: base }));
  const now = detailIn(useAnswer('GET /runs/:run', { run: candidate }));
  const app = now?.app ?? null;
  const pinned = pinOf(app);
  useShownPlace(
    app,
    (now?.places ?? []).filter((place) => place.app === app).map(({ set }) => set),
  );
  return (
    <View
      title={now === undefined ? 'Compare' : `Compare ${visible(runTitle(now))}`}
      above={
        <a href={formatRoute({ view: 'runs', app, chosen: [] })}>
          {app === null ? 'All runs' : `Runs of ${visible(app)}`}
        </a>
      }
      actions={
        opened === null && (
          <>
            <a href={formatRoute(matrixRoute([base, candidate], { cells: 'answers' }))}>Answers side by side</a>
            <a class="plain-button" href={formatRoute(compareRoute(candidate, base))} title="Exchange before and now">
              Swap
            </a>
            {app !== null && pinned !== candidate && now?.state === 'finished' && (
              <Button
                text="Pin as baseline"
                class="main"
                unseen=": the run shown as now"
                title="Compare later runs with the one shown as “now”"
                onClick={() => pin(app, candidate)}
              />
            )}
          </>
        )
      }
    >
      <div class="compared-pair">
        <ComparedRun id={base} label="Before" detail={before} isBaseline={pinned === base} />
        <ComparedRun id={candidate} label="Now" detail={now} isBaseline={pinned === candidate} />
      </div>
      {opened === null && before !== undefined && now !== undefined && (
        <CriteriaDifferences lines={criteriaDifferences(before, now)} />
      )}
      <p class="compared">
        {opened === null && (
          <label>
            Smallest change that counts{' '}
            <select value={effect} onChange={(event) => setEffect(Number(event.currentTarget.value))}>
              {EFFECTS.map((one) => (
                <option key={one} value={one}>
                  {count(Math.round(one * 100), 'point')}
                </option>
              ))}
            </select>
          </label>
        )}
      </p>
      <Answered found={found} waiting="Comparing the runs…">
        {(all) =>
          opened === null ? <All route={route} found={all} /> : <Opened route={route} opened={opened} found={all} />
        }
      </Answered>
    </View>
  );
}

function detailIn(found: Loaded<RunDetail>): RunDetail | undefined {
  return found.state === 'there' ? found.value : undefined;
}

/** Shows one comparison per pair of variants. */
function All({ route, found }: { readonly route: Compared; readonly found: readonly ComparedRuns[] }) {
  useLayoutEffect(restoreScroll, []);
  useListKeys('.compared-row h4 a');
  return (
    <>
      {found.map((runs) => (
        <ComparedRunsView
          key={`${runs.comparison.base.variant} ${runs.comparison.candidate.variant}`}
          runs={runs}
          all={route.all}
          showAll={(all) => go({ ...route, all }, 'instead')}
          hrefOf={(one) => formatRoute({ ...route, opened: placeOf(runs, one) })}
          sideHref={(side, one) => caseHref(route, runs, side, one)}
        />
      ))}
    </>
  );
}

function placeOf({ comparison }: ComparedRuns, one: Pick<ComparedCase, 'setId' | 'caseId'>): Compared['opened'] {
  const { base, candidate } = comparison;
  return { set: one.setId, id: one.caseId, before: base.variant ?? null, now: candidate.variant ?? null };
}

function caseHref(route: Compared, { comparison }: ComparedRuns, side: Side, one: ComparedCase): string {
  const { setId: set, caseId: id } = one;
  const { variant } = comparison[side];
  const base = formatRoute({ view: 'run', run: route.runs[side === 'base' ? 0 : 1] });
  return runAddress(base, { view: 'case', set, id, variant, repeat: 0, turn: null });
}

function Opened(props: {
  readonly route: Compared;
  readonly opened: NonNullable<Compared['opened']>;
  readonly found: readonly ComparedRuns[];
}) {
  const { route, opened, found } = props;
  const runs = found.find(
    ({ comparison: { base, candidate } }) =>
      (base.variant ?? null) === opened.before && (candidate.variant ?? null) === opened.now,
  );
  const one = runs?.cases.find(({ setId, caseId }) => setId === opened.set && caseId === opened.id);
  const before = useDetails(route.runs[0], one, 'base', opened.before);
  const now = useDetails(route.runs[1], one, 'candidate', opened.now);
  const rows = runs === undefined ? [] : shownCases(runs, route.all);
  const place = one === undefined ? -1 : rows.indexOf(one);
  const step = (to: number) => {
    const next = rows[to];
    if (runs !== undefined && next !== undefined) go({ ...route, opened: placeOf(runs, next) });
  };
  const back = formatRoute({ ...route, opened: null });
  useStudioKeys({
    j: () => step(place + 1),
    k: () => step(place - 1),
    Escape: () => {
      location.hash = back;
    },
  });
  if (runs === undefined || one === undefined) {
    return (
      <p class="empty">
        These runs have no case “{visible(opened.id)}” in “{visible(opened.set)}”. <a href={back}>Back to both runs</a>
      </p>
    );
  }
  return (
    <ComparedCaseView
      key={`${one.setId} ${one.caseId}`}
      one={one}
      details={{ base: before, candidate: now }}
      backTo={back}
      place={place}
      of={rows.length}
      go={step}
      sideHref={(side, other) => caseHref(route, runs, side, other)}
    />
  );
}

/** Loads all details of a case in a run. */
function useDetails(run: string, one: ComparedCase | undefined, side: Side, variant: string | null): SideDetails {
  const isThere = one !== undefined && one[side] !== null;
  const query = { variant: variant ?? undefined };
  const request = isThere ? { run, set: one.setId, case: one.caseId, query } : null;
  const found = useAnswer('GET /runs/:run/view/:set/:case', request);
  const problem = found.state === 'failed' ? found.problem : null;
  useEffect(() => {
    if (problem !== null) complain(problem);
  }, [problem]);
  if (!isThere) return null;
  if (found.state === 'there') return found.value;
  return found.state === 'failed' ? 'missing' : 'loading';
}
