import { breakable, count, useMeasure, VerdictBadge, visible, visibleRows } from '@agent-criteria/viewer/views';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { CaseSummary, SetWatch, WatchedVerdict } from '../api.ts';
import { Notes, Problem } from './answer.tsx';
import { addressOf, ask, messageOf } from './api-client.ts';
import { Button } from './button.tsx';
import { CodeNotice } from './code-notice.tsx';
import { useListKeys } from './keys.ts';
import { lazy } from './lazy.tsx';
import { formatRoute, type Route } from './route.ts';
import { go, restoreScroll } from './router.ts';
import { Skeleton } from './skeleton.tsx';
import { info, lastRuns, loadLastRuns, loadSets, setsOf } from './store.ts';
import { complain, notifyDeleted } from './toasts.tsx';
import { toggled } from './toggled.ts';
import { useEvents } from './use-events.ts';
import { View } from './view.tsx';

const PAGE = 200;
const ROW = 58;

/** Needed only where there is an agent to watch. */
const SetWatchBar = lazy(async () => (await import('./set-watch.tsx')).SetWatchBar, null);

/** Shows the cases of a set. Only visible rows are rendered, and only their pages are loaded. */
export function SetPage({ route }: { readonly route: Extract<Route, { view: 'set' }> }) {
  const { app, set, search } = route;
  const summary = setsOf(app)?.find(({ id }) => id === set);
  const [total, setTotal] = useState<number | null>(null);
  const [problem, setProblem] = useState<string>();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [[from, to], setRange] = useState<readonly [number, number]>([0, 30]);
  const [, redraw] = useState(0);
  const pages = useRef(new Map<number, readonly CaseSummary[] | 'loading'>());
  const body = useRef<HTMLOListElement>(null);
  const [watch, setWatch] = useState<SetWatch | null>(null);
  const verdicts = useRef(new Map<string, WatchedVerdict['verdict']>());
  const hasAgent =
    info.value.state === 'there' && info.value.value.apps.some((one) => one.name === app && one.hasAgent);
  useEvents<SetWatch>(hasAgent ? addressOf('GET /apps/:app/sets/:set/watch', { app, set }) : null, (state) => {
    if (!state.isOn) verdicts.current.clear();
    for (const one of state.verdicts) verdicts.current.set(one.case, one.verdict);
    if (watch?.isRunning === true && !state.isRunning) {
      void loadLastRuns();
      // The set itself may have changed.
      reload();
    }
    setWatch(state);
  });
  const last = lastRuns.value?.find((one) => one.app === app && one.evalSetId === summary?.evalSetId);

  const read = async (page: number) => {
    if (pages.current.has(page)) return;
    pages.current.set(page, 'loading');
    const mine = pages.current;
    try {
      const query = { offset: page * PAGE, limit: PAGE, text: search };
      const found = await ask('GET /apps/:app/sets/:set/cases', { app, set, query });
      if (mine !== pages.current) return;
      mine.set(page, found.items);
      setTotal(found.total);
      setProblem(undefined);
      redraw((now) => now + 1);
    } catch (error) {
      if (mine === pages.current) setProblem(messageOf(error));
    }
  };
  const reload = () => {
    pages.current = new Map();
    void read(0);
  };
  useEffect(() => {
    setChosen(new Set());
    setTotal(null);
  }, [app, set]);
  useEffect(reload, [app, set, search]);
  const isThere = total !== null;
  useLayoutEffect(() => {
    if (isThere) restoreScroll();
  }, [isThere]);
  useMeasure(() => {
    const top = body.current?.getBoundingClientRect().top ?? 0;
    const next = visibleRows({ top, height: innerHeight, rowHeight: ROW, rows: total ?? 0 });
    setRange((now) => (now[0] === next[0] && now[1] === next[1] ? now : next));
  }, [total]);
  useEffect(() => {
    for (let page = Math.floor(from / PAGE); page * PAGE < to; page += 1) void read(page);
  }, [from, to, total]);

  const caseAt = (place: number): CaseSummary | undefined => {
    const page = pages.current.get(Math.floor(place / PAGE));
    return page === undefined || page === 'loading' ? undefined : page[place % PAGE];
  };
  useListKeys('.case-line div > a');
  const remove = async (one: CaseSummary) => {
    try {
      const deleted = await ask('DELETE /apps/:app/sets/:set/cases/:case', {
        app,
        set,
        case: one.id,
        seen: one.version,
      });
      notifyDeleted(`“${visible(one.id)}”`, deleted, reload);
      reload();
      await loadSets(app);
    } catch (error) {
      complain(error);
    }
  };
  const editable = summary?.editable ?? false;
  const places = Array.from({ length: Math.max(Math.min(to, total ?? 0) - from, 0) }, (_, index) => from + index);
  return (
    <View
      title={visible(summary?.name ?? set)}
      above={
        <>
          <a href={formatRoute({ view: 'app', app })}>{visible(app)}</a> / {visible(summary?.file ?? set)}
        </>
      }
      actions={
        <>
          <a href={formatRoute({ view: 'trends', app, set })}>Trends</a>
          <a class="button" href={formatRoute({ view: 'run-dialog', app, set, cases: [...chosen] })}>
            {chosen.size === 0 ? 'Run all…' : `Run ${count(chosen.size, 'case')}…`}
          </a>
        </>
      }
    >
      {summary?.description && <p dir="auto">{summary.description}</p>}
      <Problem text={problem ?? summary?.problem} />
      <Notes notes={summary?.notes} />
      {hasAgent && watch?.isOn !== true && <CodeNotice app={app} since={last?.startedAt ?? null} next="the next run" />}
      {watch !== null && <SetWatchBar app={app} set={set} watch={watch} />}
      <search class="filter" aria-label="Filter the cases">
        <label class="search">
          <span class="unseen">Search ids, names, tags and first messages</span>
          <input
            id="search"
            type="search"
            dir="auto"
            placeholder="Search id, name, tag, first message"
            value={search}
            onInput={(event) => go({ ...route, search: event.currentTarget.value }, 'instead')}
          />
        </label>
        {chosen.size > 0 && <Button text="Choose none" onClick={() => setChosen(new Set())} />}
        <p class="shown" role="status">
          {total === null ? 'Reading…' : count(total, 'case')}
        </p>
      </search>
      {total === 0 && (
        <p class="empty">
          {search === '' ? 'No cases yet. Talk to the agent, and add the conversation.' : 'No case fits the search.'}
        </p>
      )}
      {total === null && problem === undefined && <Skeleton of="the cases" lines={8} />}
      <ol class="case-lines" ref={body} style={{ height: `${(total ?? 0) * ROW}px` }}>
        {places.map((place) => {
          const one = caseAt(place);
          return (
            <li key={place} class="case-line" style={{ top: `${place * ROW}px` }}>
              {one !== undefined && (
                <CaseLine
                  app={app}
                  set={set}
                  one={one}
                  verdict={verdicts.current.get(one.id)}
                  chosen={chosen.has(one.id)}
                  toggle={() => setChosen(toggled(chosen, one.id))}
                  remove={editable ? () => void remove(one) : null}
                />
              )}
            </li>
          );
        })}
      </ol>
    </View>
  );
}

function CaseLine(props: {
  readonly app: string;
  readonly set: string;
  readonly one: CaseSummary;
  /** Absent if the set is not watched, or the case has not run since. */
  readonly verdict: WatchedVerdict['verdict'] | undefined;
  readonly chosen: boolean;
  toggle(): void;
  /** `null` if the set cannot be edited. */
  readonly remove: (() => void) | null;
}) {
  const { app, set, one, verdict, chosen, toggle, remove } = props;
  return (
    <>
      <input type="checkbox" aria-label={`Choose ${visible(one.id)}`} checked={chosen} onChange={toggle} />
      <div>
        {one.name !== null && <small>{visible(one.id)}</small>}
        <a
          href={formatRoute({ view: 'case', app, set, id: one.id, pane: 'form' })}
          title={one.name === null ? undefined : visible(one.id)}
        >
          <bdi>{breakable(one.name ?? one.id)}</bdi>
        </a>
        {verdict !== undefined && <VerdictBadge verdict={verdict} />}
        <small class="opening" dir="auto" title={one.opening}>
          {one.turns === null ? 'Scenario: ' : `${count(one.turns, 'turn')}: `}
          {one.opening}
        </small>
      </div>
      <ul class="thresholds" aria-label="Tags">
        {one.tags.slice(0, 3).map((tag) => (
          <li key={tag}>
            <bdi>{visible(tag)}</bdi>
          </li>
        ))}
      </ul>
      <a
        class="quiet"
        aria-label={`Run ${visible(one.id)}…`}
        href={formatRoute({ view: 'run-dialog', app, set, cases: [one.id] })}
      >
        Run…
      </a>
      {remove !== null && (
        <Button text="Delete" class="quiet" aria-label={`Delete ${visible(one.id)}`} onClick={remove} />
      )}
    </>
  );
}
