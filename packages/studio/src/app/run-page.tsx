import {
  type BesideSetting,
  type CaseAction,
  CasePane,
  caseMarkdown,
  type Filter,
  NO_FILTER,
  type Remedies,
  Running,
  type RunSource,
  RunView,
  TurnTools,
} from '@agent-criteria/viewer/run-views';
import { loadMarkdown, type PageCase, type PageIndex, visible } from '@agent-criteria/viewer/views';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { CaseIds, RunDetail, RunSetPlace, RunState } from '../api.ts';
import { addressOf, ask, messageOf } from './api-client.ts';
import { CodeNotice } from './code-notice.tsx';
import { lazy } from './lazy.tsx';
import { OlderCode } from './older-code.tsx';
import { pinOf } from './pinned.ts';
import { compareRoute, formatRoute, matrixRoute, type Route } from './route.ts';
import { RunAgainButtons } from './run/run-again.tsx';
import { useLiveRun } from './run/use-live-run.ts';
import { RunContext } from './run-context.ts';
import { useShownPlace } from './shown-place.ts';
import { Splitter } from './splitter.tsx';
import { covered, keysOn, lastRuns, loadLastRuns, store, stored } from './store.ts';
import { complain } from './toasts.tsx';
import { RunTrace } from './trace/run-trace.tsx';
import { View } from './view.tsx';

/** Loaded with the run, but not needed to show it. */
const SinceRunBefore = lazy(async () => (await import('./run/since-run-before.tsx')).SinceRunBefore, null);

// Loaded along with the run, so that its answers need not be drawn twice.
void loadMarkdown();

/** Needed only while a run is unfinished. */
const LiveBanner = lazy(async () => (await import('./run/live-banner.tsx')).LiveBanner, null);
/** Needed only once a case is opened. */
const CaseAgain = lazy(async () => (await import('./run/case-again.tsx')).CaseAgain, null);
const TurnAgain = lazy(async () => (await import('./turn-run/turn-again.tsx')).TurnAgain, null);
const CaseRemedies = lazy(async () => (await import('./accept/case-remedies.tsx')).CaseRemedies, null);

const BESIDE: BesideSetting = {
  get open() {
    return stored('preview') !== 'off';
  },
  keep: (open) => store('preview', open ? 'on' : 'off'),
  pane: CasePane,
  splitter: () => <Splitter name="case" label="Width of the list" share={56} />,
};

const UNKNOWN: Known = { app: null, places: [], judged: false, state: 'open', outcome: null };

/** The facts about a run that its page needs besides the page data. */
type Known = Pick<RunDetail, 'app' | 'places' | 'judged' | 'state' | 'outcome' | 'olderCode'>;

/** A loaded case; `isOld` if the run has progressed since it was loaded. */
interface Read {
  readonly one: PageCase | 'loading' | 'missing';
  readonly isOld: boolean;
}

/** Shows one run, finished or in flight. */
export function RunPage({ route }: { readonly route: Extract<Route, { view: 'run' }> }) {
  const { run } = route;
  const [page, setPage] = useState<PageIndex | null>(null);
  const [state, setState] = useState<RunState>('finished');
  const [known, setKnown] = useState<Known>(UNKNOWN);
  const [problem, setProblem] = useState<string>();
  const [, redraw] = useState(0);
  const [printing, setPrinting] = useState(false);
  const [view, setView] = useState<'cases' | 'case' | null>(null);
  const main = useRef<HTMLElement>(null);
  const details = useRef(new Map<string, Read>());
  /** Whether the run was unfinished when it was last loaded. */
  const wasOpen = useRef(false);
  const address = formatRoute({ view: 'run', run });

  const load = async () => {
    try {
      let [read, detail] = await Promise.all([ask('GET /runs/:run/view', { run }), ask('GET /runs/:run', { run })]);
      // The run may have ended between the two requests.
      if (detail.state === 'finished' && read.progress !== undefined) read = await ask('GET /runs/:run/view', { run });
      // Cases may have changed while the run progressed; the old ones are shown until they are reloaded.
      for (const [name, { one }] of details.current) {
        if (typeof one !== 'object') details.current.delete(name);
        else if (wasOpen.current) details.current.set(name, { one, isOld: true });
      }
      // A short run may already be finished when its page is loaded.
      const isNewest = lastRuns.value?.every(({ startedAt }) => startedAt < detail.info.startedAt) ?? false;
      if (detail.state === 'finished' && (wasOpen.current || isNewest)) void loadLastRuns();
      wasOpen.current = detail.state !== 'finished';
      setPage(read);
      setState(detail.state);
      setKnown(detail);
      setProblem(undefined);
    } catch (error) {
      setProblem(messageOf(error));
    }
  };
  useEffect(() => {
    void load();
  }, []);
  useEffect(() => {
    const draw = (on: boolean) => () => setPrinting(on);
    const [before, after] = [draw(true), draw(false)];
    addEventListener('beforeprint', before);
    addEventListener('afterprint', after);
    return () => {
      removeEventListener('beforeprint', before);
      removeEventListener('afterprint', after);
    };
  }, []);
  const live = useLiveRun({
    run,
    state,
    page,
    reload: load,
    onChange(ids) {
      const at = addressOf('GET /runs/:run/view/:set/:case', requestOf(run, ids));
      const known = details.current.get(at);
      if (typeof known?.one === 'object') details.current.set(at, { one: known.one, isOld: true });
      else details.current.delete(at);
    },
  });
  const index = live.page;
  const actions = useMemo(() => [...copies, editing(known.places)], [known]);
  const info = index?.info ?? null;
  const isOver = state === 'finished' || state === 'open';
  const shown = useMemo(
    () => ({ run, app: known.app, info, places: known.places, isOver }),
    [run, known, info, isOver],
  );

  useShownPlace(
    known.app,
    known.places.filter(({ app }) => app === known.app).map(({ set }) => set),
  );
  const source = useMemo((): RunSource | null => {
    if (index === null) return null;
    return {
      index,
      licences: '',
      details(place) {
        const row = index.cases[place];
        const set = index.sets[row?.set ?? -1];
        if (row === undefined || set === undefined) return 'missing';
        const variant = index.info.variants?.[row.variant ?? -1]?.name;
        const request = requestOf(run, { setId: set.id, caseId: row.id, variant });
        const at = addressOf('GET /runs/:run/view/:set/:case', request);
        const known = details.current.get(at);
        if (known !== undefined && !known.isOld) return known.one;
        const now = known?.one ?? 'loading';
        details.current.set(at, { one: now, isOld: false });
        void ask('GET /runs/:run/view/:set/:case', request)
          .then((one) => details.current.set(at, { one, isOld: false }))
          .catch((error: unknown) => {
            details.current.set(at, { one: 'missing', isOld: false });
            complain(error);
          })
          .finally(() => redraw((count) => count + 1));
        return now;
      },
    };
  }, [index]);

  const name = `filter.${index?.sets.map(({ id }) => id).join('/') ?? ''}`;
  const kept = useMemo(() => readFilter(stored(name)), [name, index === null]);
  if (problem !== undefined && index === null) {
    return (
      <View title="This run cannot be shown">
        <p class="problem">{problem}</p>
        <p>
          <a href="#/runs">All runs</a>
        </p>
      </View>
    );
  }
  if (source === null || index === null) {
    return (
      <View title={visible(run)}>
        <p class="note">Reading the run…</p>
      </View>
    );
  }
  return (
    <RunContext.Provider value={shown}>
      <div class="run-top">
        <div class="run-trail">
          {known.app !== null && <Above app={known.app} places={known.places} />}
          <RunLinks run={run} known={known} hasVariants={(index.info.variants?.length ?? 0) > 1} />
        </div>
        {view === 'cases' && known.app !== null && isOver && (
          <RunAgainButtons run={run} index={index} wasJudged={known.outcome !== null} />
        )}
      </div>
      {known.app !== null && isOver && <CodeNotice app={known.app} since={index.info.startedAt} next="another run" />}
      <TurnTools.Provider value={TurnAgain}>
        <RunView
          source={source}
          printing={printing}
          base={address}
          keysOn={keysOn.value && covered.value === 0}
          main={main}
          tools={null}
          kept={kept}
          keep={(filter) => store(name, JSON.stringify({ ...filter, search: '' }))}
          beside={BESIDE}
          caseActions={actions}
          around={RunTrace}
          remedies={CaseTools}
          running={Running}
          onView={setView}
          banner={
            state !== 'finished' ? (
              <LiveBanner run={run} state={state} isJudged={page?.info.scoring !== 0} live={live} reload={load} />
            ) : (
              known.outcome !== null && <SinceRunBefore run={run} />
            )
          }
        />
      </TurnTools.Provider>
    </RunContext.Provider>
  );
}

function requestOf(run: string, { setId, caseId, variant }: CaseIds) {
  return { run, set: setId, case: caseId, query: { variant } };
}

/** Links to the app's runs and eval sets. */
function Above({ app, places }: { readonly app: string; readonly places: readonly RunSetPlace[] }) {
  const sets = places.filter((place) => place.app === app);
  return (
    <nav class="above" aria-label="Where this run is from">
      <a href={formatRoute({ view: 'runs', app, chosen: [] })}>Runs of {visible(app)}</a>
      {sets.slice(0, 3).map(({ set }) => (
        <span key={set}>
          {' / '}
          <a href={formatRoute({ view: 'set', app, set, search: '' })}>{visible(set)}</a>
        </span>
      ))}
    </nav>
  );
}

function CaseTools(props: Remedies) {
  return (
    <div class="case-tools">
      <CaseAgain {...props} />
      <CaseRemedies {...props} />
    </div>
  );
}

const copies: readonly CaseAction[] = [
  { name: 'link', title: 'The address of this view', copies: () => location.href },
  {
    name: 'Markdown',
    title: 'For a pull request',
    copies: (one, set) => caseMarkdown(one, set ?? { id: one.setId }),
  },
];

/** Links to a case in its eval set, if this studio has that set. */
function editing(places: readonly RunSetPlace[]): CaseAction {
  return {
    name: 'Edit case',
    title: 'In its eval set',
    href: (one, set) => {
      const place = places.find(({ runSet }) => runSet === set?.id);
      if (place === undefined) return undefined;
      return formatRoute({ view: 'case', app: place.app, set: place.set, id: one.result.caseId, pane: 'form' });
    },
  };
}

function readFilter(text: string | null): Filter | undefined {
  try {
    return text === null ? undefined : { ...NO_FILTER, ...JSON.parse(text) };
  } catch {
    return undefined;
  }
}

/** Links to the labels of a run, to its comparison with the baseline, and to its cases beside those of others. */
export function RunLinks(props: {
  readonly run: string;
  readonly known: Pick<RunDetail, 'app' | 'judged' | 'state' | 'outcome' | 'olderCode'>;
  readonly hasVariants: boolean;
}) {
  const { run, known, hasVariants } = props;
  const baseline = pinOf(known.app);
  return (
    <nav class="above run-links" aria-label="With this run">
      {known.judged && (
        <a href={formatRoute({ view: 'label', run, criterion: null, rubric: null, whole: false })}>
          Label the judge’s answers
        </a>
      )}
      {baseline !== null && baseline !== run && known.state === 'finished' && (
        <a href={formatRoute(compareRoute(baseline, run))}>Compare with the baseline</a>
      )}
      {baseline === run && <b>Baseline</b>}
      {known.olderCode === true && <OlderCode />}
      {hasVariants && <a href={formatRoute(matrixRoute([run], { cells: 'answers' }))}>Answers by variant</a>}
      {known.outcome !== null && <a href={formatRoute(matrixRoute([run], { newest: true }))}>Cases by runs</a>}
    </nav>
  );
}
