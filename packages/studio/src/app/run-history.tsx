import { confirmedRun } from '@agent-criteria/results';
import { commitText, gatesText } from '@agent-criteria/results/text';
import {
  count,
  formatTime,
  localTime,
  Time,
  VERDICT_WORDS,
  VerdictBadge,
  VerdictIcon,
  visible,
} from '@agent-criteria/viewer/views';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { RunDetail, RunSummary, RunThreshold } from '../api.ts';
import { Problem, useAnswer } from './answer.tsx';
import { ask, messageOf } from './api-client.ts';
import { Button } from './button.tsx';
import { useListKeys } from './keys.ts';
import { OlderCode } from './older-code.tsx';
import { pin, pinOf } from './pinned.ts';
import { compareRoute, formatRoute, matrixRoute, type Route } from './route.ts';
import { go, restoreScroll } from './router.ts';
import { setsOf } from './store.ts';
import { View } from './view.tsx';

const LIMIT = 50;
/** Most runs that can be laid side by side. */
const MOST_CHOSEN = 10;
/** Polling interval in milliseconds while runs are in flight. */
const PACE = 3000;

const STATES = { here: 'Running', elsewhere: 'Running elsewhere', open: 'Unfinished', finished: '' } as const;

/** Lists the runs of an agent, or all runs, newest first, loaded page by page. */
export function RunHistory({ route }: { readonly route: Extract<Route, { view: 'runs' }> }) {
  const { app, chosen } = route;
  const [runs, setRuns] = useState<readonly RunSummary[] | null>(null);
  const [next, setNext] = useState<string | null>(null);
  const [total, setTotal] = useState(0);
  const [problem, setProblem] = useState<string>();
  const end = useRef<HTMLParagraphElement>(null);
  const loading = useRef(false);
  const read = (before?: string) => ask('GET /runs', { query: { before, limit: LIMIT, app: app ?? undefined } });
  const more = async () => {
    if (loading.current || next === null || runs === null) return;
    loading.current = true;
    try {
      const page = await read(next);
      setRuns([...runs, ...page.runs]);
      setNext(page.next);
    } catch (error) {
      setProblem(messageOf(error));
    } finally {
      loading.current = false;
    }
  };
  useEffect(() => {
    let over = false;
    setRuns(null);
    read().then(
      (page) => {
        if (over) return;
        setRuns(page.runs);
        setNext(page.next);
        setTotal(page.total);
        setProblem(undefined);
      },
      (error) => !over && setProblem(messageOf(error)),
    );
    return () => {
      over = true;
    };
  }, [app]);
  const underWay = runs?.some(({ state }) => state === 'here' || state === 'elsewhere') ?? false;
  useEffect(() => {
    if (!underWay) return;
    const timer = setInterval(async () => {
      const page = await read().catch(() => null);
      if (page === null) return;
      setRuns((now) => {
        const fresh = new Set(page.runs.map(({ id }) => id));
        return [...page.runs, ...(now ?? []).filter(({ id }) => !fresh.has(id))];
      });
    }, PACE);
    return () => clearInterval(timer);
  }, [underWay, app]);
  const isThere = runs !== null;
  useLayoutEffect(() => {
    if (isThere) restoreScroll();
  }, [isThere]);
  useEffect(() => {
    const mark = end.current;
    if (mark === null) return;
    const watcher = new IntersectionObserver((seen) => {
      if (seen.some(({ isIntersecting }) => isIntersecting)) void more();
    });
    watcher.observe(mark);
    return () => watcher.disconnect();
  });
  useListKeys('.run-row h2 a');
  const toggle = (id: string) => {
    const others = chosen.filter((one) => one !== id);
    const now = others.length < chosen.length ? others : [...chosen, id].slice(-MOST_CHOSEN);
    go({ view: 'runs', app, chosen: now }, 'instead');
  };
  const [first, second] = chosen;
  const baseline = pinOf(app);
  return (
    <View
      title={app === null ? 'All runs' : `Runs of ${visible(app)}`}
      actions={
        first !== undefined && second !== undefined ? (
          <>
            <a href={formatRoute(matrixRoute(newestFirst(chosen, runs ?? [])))}>Cases side by side</a>
            {chosen.length === 2 && (
              <a
                class="button"
                href={formatRoute(
                  isOlder(first, second, runs ?? []) ? compareRoute(first, second) : compareRoute(second, first),
                )}
              >
                Compare the two
              </a>
            )}
          </>
        ) : (
          chosen.length === 1 && <span class="note">Choose another run to compare it with, or several.</span>
        )
      }
    >
      <Problem text={problem} />
      {app !== null && <SetLinks app={app} />}
      {baseline !== null && app !== null && <BaselineBand app={app} run={baseline} />}
      {runs === null && problem === undefined && <p class="note">Reading the runs…</p>}
      {runs !== null && runs.length === 0 && (
        <p class="empty">
          No runs yet. Open an eval set and run it, or use <code>npx agent-criteria eval</code>.
        </p>
      )}
      <ol class="run-rows">
        {runs?.map((run) => (
          <Row key={run.id} run={run} chosen={chosen.includes(run.id)} toggle={() => toggle(run.id)} />
        ))}
      </ol>
      {runs !== null && runs.length > 0 && (
        <p class="note" ref={end} role="status">
          {next === null
            ? count(runs.length, 'run')
            : `${count(runs.length, 'run')} of up to ${total.toLocaleString('en')}`}{' '}
          {next !== null && <Button text="Show more" onClick={() => void more()} />}
        </p>
      )}
    </View>
  );
}

function newestFirst(chosen: readonly string[], runs: readonly RunSummary[]): readonly string[] {
  return chosen.toSorted((one, other) => (isOlder(one, other, runs) ? 1 : -1));
}

function isOlder(one: string, other: string, runs: readonly RunSummary[]): boolean {
  const [place, otherPlace] = [one, other].map((id) => runs.findIndex((run) => run.id === id)) as [number, number];
  return place === -1 || otherPlace === -1 ? one < other : place > otherPlace;
}

function SetLinks({ app }: { readonly app: string }) {
  const sets = setsOf(app) ?? [];
  if (sets.length === 0) return null;
  return (
    <p class="links">
      <span class="note">Trends:</span>
      {sets.slice(0, 12).map(({ id, name }) => (
        <a key={id} href={formatRoute({ view: 'trends', app, set: id })}>
          <bdi>{visible(name ?? id)}</bdi>
        </a>
      ))}
    </p>
  );
}

function Row(props: { readonly run: RunSummary; readonly chosen: boolean; toggle(): void }) {
  const { run } = props;
  const { summary, state, units } = run;
  const sets = run.sets.length === 0 ? run.id : run.sets.map(visible).join(', ');
  const name = run.name === undefined ? sets : visible(run.name);
  return (
    <li class={`run-row${props.chosen ? ' chosen' : ''}${pinOf(run.app) === run.id ? ' baseline' : ''}`}>
      <input
        type="checkbox"
        aria-label={`Choose the run ${run.id} for a comparison`}
        checked={props.chosen}
        onChange={props.toggle}
      />
      <div>
        <h2>
          <a href={formatRoute({ view: 'run', run: run.id })}>
            <bdi>{name}</bdi>
          </a>{' '}
          <small>
            <Time at={run.startedAt} />
            {run.endedAt !== null && `, took ${formatTime(run.endedAt - run.startedAt)}`}
          </small>
        </h2>
        {run.problem !== undefined && <p class="problem">{run.problem}</p>}
        <p class="run-facts">
          <bdi title={run.agent}>{visible(run.app ?? run.agent)}</bdi>
          {run.name !== undefined && <bdi>{sets}</bdi>}
          {run.selection !== undefined && <span title={run.selection.by.map(visible).join(', ')}>some cases</span>}
          {run.repeats > 1 && (
            <span>
              {run.auto && 'up to '}
              {run.repeats} repeats
            </span>
          )}
          <code>{run.id}</code>
          {run.commit !== undefined && <code title="commit">{visible(commitText(run.commit))}</code>}
          {run.olderCode === true && <OlderCode />}
          <Confirmed run={run} />
        </p>
        <Thresholds criteria={run.criteria} />
        <Baseline run={run} />
      </div>
      <div class="run-outcome">
        {state === 'finished' || summary !== null ? null : <span class="note">not judged yet</span>}
        {summary !== null && state === 'finished' && <VerdictBadge verdict={run.outcome?.verdict ?? summary.verdict} />}
        {state !== 'finished' && (
          <span class={`badge state ${state}`}>
            {STATES[state]}, {units.finished.toLocaleString('en')} of {units.total.toLocaleString('en')}
          </span>
        )}
        {summary !== null && <Counts run={run} />}
        {state === 'finished' && <GatesOf run={run} />}
      </div>
    </li>
  );
}

/** Offers the baseline actions for a run: set it as the baseline, or compare it with the baseline. */
function Baseline({ run: { id, app, state, summary } }: { readonly run: RunSummary }) {
  const baseline = pinOf(app);
  if (app === null || state !== 'finished' || summary === null) return null;
  return (
    <p class="run-facts">
      {baseline === id ? (
        <b>Baseline</b>
      ) : (
        <Button text="Pin as baseline" unseen={`: the run ${id}`} class="quiet pin" onClick={() => pin(app, id)} />
      )}
      {baseline !== null && baseline !== id && (
        <a href={formatRoute(compareRoute(baseline, id))}>
          Compare with the baseline<span class="unseen">: the run {id}</span>
        </a>
      )}
    </p>
  );
}

/** Links to the run whose regression is confirmed by this run. */
function Confirmed({ run: { outcome } }: { readonly run: RunSummary }) {
  const confirmed = confirmedRun(outcome?.gates ?? []);
  if (confirmed === undefined) return null;
  return (
    <span>
      run to confirm <a href={formatRoute({ view: 'run', run: confirmed })}>{visible(confirmed)}</a>
    </span>
  );
}

/** Summarises the gates of a run, or shows the first problem with it. */
function GatesOf({ run: { outcome } }: { readonly run: RunSummary }) {
  const { gates = [], problems = [] } = outcome ?? {};
  if (gates.length === 0 && problems.length === 0) return null;
  return <span class="note">{visible(problems[0] ?? gatesText(gates))}</span>;
}

export function Counts({ run }: { readonly run: Pick<RunSummary, 'summary'> }) {
  const verdicts = Object.entries(run.summary?.verdicts ?? {}) as [keyof typeof VERDICT_WORDS, number][];
  return (
    <span class="counts">
      {verdicts
        .filter(([, number]) => number > 0)
        .map(([verdict, number]) => (
          <span key={verdict} title={VERDICT_WORDS[verdict]}>
            <VerdictIcon verdict={verdict} />
            <span class="unseen">{VERDICT_WORDS[verdict]}: </span>
            {number.toLocaleString('en')}
          </span>
        ))}
    </span>
  );
}

export function Thresholds({ criteria }: { readonly criteria: readonly RunThreshold[] }) {
  if (criteria.length === 0) return null;
  return (
    <ul class="thresholds" aria-label="Criteria and thresholds">
      {criteria.map(({ name, threshold, better }) => (
        <li key={`${name} ${threshold}`}>
          <bdi>{visible(name)}</bdi>{' '}
          <b>{threshold === null ? 'measured' : `${better === 'higher' ? '≥' : '≤'} ${threshold}`}</b>
        </li>
      ))}
    </ul>
  );
}

function verdictOf({ outcome, summary }: RunDetail) {
  return outcome?.verdict ?? summary.verdict;
}

/** Shows the pinned run, with which the app's other runs are compared, above their list. */
export function BaselineBand({ app, run }: { readonly app: string; readonly run: string }) {
  const found = useAnswer('GET /runs/:run', { run });
  return (
    <section class="baseline-band" aria-label="Baseline">
      <p>
        <b>Baseline</b>{' '}
        {found.state === 'failed' ? (
          <span class="problem">{found.problem}</span>
        ) : (
          <>
            <a href={formatRoute({ view: 'run', run })}>
              <code>{visible(run)}</code>
            </a>
            {found.state === 'there' && (
              <span>
                {' '}
                <VerdictIcon verdict={verdictOf(found.value)} /> {VERDICT_WORDS[verdictOf(found.value)]},{' '}
                {localTime(found.value.info.startedAt)}
              </span>
            )}
          </>
        )}{' '}
        <Button text="Unpin" class="quiet" onClick={() => pin(app, null)} />
      </p>
      <p class="note">
        Pinned in this browser. To keep it for everybody:{' '}
        <code>npx agent-criteria baseline set {visible(run)} --output baseline.json</code>
      </p>
    </section>
  );
}
