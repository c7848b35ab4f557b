import type { ComparedCase } from '@agent-criteria/analysis';
import {
  ComparedCaseView,
  type ComparedRuns,
  ComparedRunsView,
  count,
  type PageCase,
  type Side,
  type SideDetails,
  shownCases,
  useKeys,
  visible,
} from '@agent-criteria/viewer/views';
import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import { ask, path } from './api-client.ts';
import { compareRoute, formatRoute, type Route } from './route.ts';
import { go, restoreScroll } from './router.ts';
import { covered, keysOn, LOADING, type Loaded, loaded } from './store.ts';
import { complain } from './toasts.tsx';
import { View } from './view.tsx';

type Compared = Extract<Route, { view: 'compare' }>;

/** The smallest changes that count, to choose from. */
const EFFECTS = [0.01, 0.02, 0.05, 0.1] as const;

/** Two runs of the same cases: what changed, how certain that is, and the cases behind it, each of them side by side. */
export function ComparePage({ route }: { readonly route: Compared }) {
  const [base, candidate] = route.runs;
  const [effect, setEffect] = useState(0.05);
  const [found, setFound] = useState<Loaded<readonly ComparedRuns[]>>(LOADING);
  useEffect(() => {
    let over = false;
    setFound(LOADING);
    const query = new URLSearchParams({ base, candidate, min_effect: String(effect) });
    void loaded(() => ask<readonly ComparedRuns[]>('GET', `/comparison?${query}`)).then((next) => {
      if (!over) setFound(next);
    });
    return () => {
      over = true;
    };
  }, [base, candidate, effect]);
  const { opened } = route;
  return (
    <View
      title="Two runs"
      above={<a href="#/runs">Runs</a>}
      actions={
        opened === null && (
          <a class="button" href={formatRoute(compareRoute(candidate, base))}>
            Swap
          </a>
        )
      }
    >
      <p class="compared">
        <RunLink id={base} label="Before" /> <RunLink id={candidate} label="Now" />
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
      {found.state === 'loading' && <p class="note">Comparing the runs…</p>}
      {found.state === 'failed' && (
        <p class="problem" role="alert">
          {found.problem}
        </p>
      )}
      {found.state === 'there' &&
        (opened === null ? (
          <All route={route} found={found.value} />
        ) : (
          <Opened route={route} opened={opened} found={found.value} />
        ))}
    </View>
  );
}

function RunLink({ id, label }: { readonly id: string; readonly label: string }) {
  return (
    <span>
      {label}: <a href={formatRoute({ view: 'run', run: id })}>{visible(id)}</a>
    </span>
  );
}

/** One comparison for each variant that both runs have. */
function All({ route, found }: { readonly route: Compared; readonly found: readonly ComparedRuns[] }) {
  useLayoutEffect(restoreScroll, []);
  const step = (by: 1 | -1) => {
    const links = [...document.querySelectorAll<HTMLElement>('.compared-row h4 a')];
    const here = links.indexOf(document.activeElement as HTMLElement);
    const target = links[here < 0 ? 0 : here + by];
    target?.focus();
    target?.scrollIntoView({ block: 'nearest' });
  };
  useKeys(keysOn.value && covered.value === 0, { j: () => step(1), k: () => step(-1) });
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
  const { variant } = comparison[side];
  const run = route.runs[side === 'base' ? 0 : 1];
  const query = variant === undefined ? '' : `?${new URLSearchParams({ variant })}`;
  const steps = ['case', one.setId, one.caseId].map(encodeURIComponent).join('/');
  return `${formatRoute({ view: 'run', run })}/${steps}${query}`;
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
  useKeys(keysOn.value && covered.value === 0, {
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

/** All of a case in its run. */
function useDetails(run: string, one: ComparedCase | undefined, side: Side, variant: string | null): SideDetails {
  const [details, setDetails] = useState<SideDetails>('loading');
  const isThere = one !== undefined && one[side] !== null;
  const [setId, caseId] = [one?.setId ?? '', one?.caseId ?? ''];
  useEffect(() => {
    if (!isThere) return setDetails(null);
    let over = false;
    setDetails('loading');
    const query = variant === null ? '' : `?${new URLSearchParams({ variant })}`;
    ask<PageCase>('GET', `${path('runs', run, 'view', setId, caseId)}${query}`).then(
      (found) => {
        if (!over) setDetails(found);
      },
      (error) => {
        if (over) return;
        setDetails('missing');
        complain(error);
      },
    );
    return () => {
      over = true;
    };
  }, [run, setId, caseId, isThere, variant]);
  return details;
}
