import { count, localTime, VERDICT_WORDS, VerdictIcon, visible } from '@agent-criteria/viewer/views';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { RunDetail, RunSummary } from '../api.ts';
import { Problem, useAnswer } from './answer.tsx';
import { ask } from './api-client.ts';
import { Button } from './button.tsx';
import { useListKeys, useStudioKeys } from './keys.ts';
import { pin, pinOf } from './pinned.ts';
import { compareRoute, formatRoute, matrixRoute, type RunsRoute } from './route.ts';
import { go, restoreScroll } from './router.ts';
import { commonCriteria, ruleText } from './runs/common-criteria.ts';
import { deleteRuns } from './runs/delete-runs.ts';
import { DeleteRunsDialog } from './runs/delete-runs-dialog.tsx';
import { RunFilterBar } from './runs/run-filter-bar.tsx';
import { filtersSet, NO_FILTER, PAGE, queryOf, type RunListFilter } from './runs/run-list-filter.ts';
import { RunNameDialog } from './runs/run-name-dialog.tsx';
import { RunTable } from './runs/run-table.tsx';
import { MOST_CHOSEN, useChosenRuns } from './runs/use-chosen-runs.ts';
import { useRunList } from './runs/use-run-list.ts';
import { Skeleton } from './skeleton.tsx';
import { setsOf } from './store.ts';
import { complain } from './toasts.tsx';
import { View } from './view.tsx';

/** Most runs that can be laid side by side. */
const MOST_BESIDE = 10;

/** Lists the runs of an agent, or all runs: search, filters, names, comparison and deletion. */
export function RunHistory({ route }: { readonly route: RunsRoute }) {
  const { app, chosen, filter = NO_FILTER } = route;
  const { page, filters, problem, isOld, shown, reload, replace } = useRunList(app, filter);
  const [renaming, setRenaming] = useState<RunSummary | null>(null);
  const [deleting, setDeleting] = useState<readonly RunSummary[] | null>(null);
  const [deleted, setDeleted] = useState<{ readonly done: number; readonly of: number } | null>(null);
  /** Position of the row that takes the focus once the list has been read again. */
  const focusNext = useRef<number | null>(null);
  const runs = page?.runs ?? [];

  const choose = (ids: readonly string[]) =>
    go({ ...route, chosen: [...new Set(ids)].slice(0, MOST_CHOSEN) }, 'instead');
  const change = (next: Partial<RunListFilter>, how: 'after' | 'instead' = 'after') =>
    go({ ...route, filter: { ...filter, page: 1, ...next } }, how);
  const drop = (ids: readonly string[]) => choose(chosen.filter((id) => !ids.includes(id)));
  const chosenRuns = useChosenRuns(chosen, runs, drop);
  const isChosen = new Set(chosen);
  const toggle = ({ id }: Pick<RunSummary, 'id'>) =>
    choose(isChosen.has(id) ? chosen.filter((one) => one !== id) : [...chosen, id]);

  const pages = Math.max(Math.ceil((page?.matching ?? 0) / PAGE), 1);
  useEffect(() => {
    // The runs of the last page may have been deleted.
    if (!isOld && page !== null && page.matching !== null && filter.page > pages) change({ page: pages }, 'instead');
  }, [page, isOld]);
  useLayoutEffect(() => {
    if (shown !== '') restoreScroll();
  }, [shown]);
  useLayoutEffect(() => {
    if (focusNext.current === null) return;
    const links = [...document.querySelectorAll<HTMLElement>('.run-row .run-name')];
    (links[Math.min(focusNext.current, links.length - 1)] ?? document.getElementById('search'))?.focus();
    focusNext.current = null;
  }, [page]);
  useListKeys('.run-row .run-name');
  useStudioKeys({
    x: () => document.activeElement?.closest('.run-row')?.querySelector<HTMLElement>('input')?.click(),
  });

  const remove = async (deletable: readonly RunSummary[]) => {
    const place = runs.findIndex(({ id }) => id === deletable[0]?.id);
    setDeleted({ done: 0, of: deletable.length });
    const gone = await deleteRuns(deletable, (done) => setDeleted({ done, of: deletable.length }));
    setDeleted(null);
    focusNext.current = Math.max(place, 0);
    if (chosen.some((id) => gone.includes(id))) drop(gone);
    reload();
  };
  const chooseAll = async () => {
    try {
      const found = await ask('GET /runs', { query: { ...queryOf(app, filter), offset: 0, limit: MOST_CHOSEN } });
      choose(found.runs.map(({ id }) => id));
    } catch (error) {
      complain(error);
    }
  };
  const baseline = pinOf(app);
  const common = commonCriteria(runs);
  const isFiltered = filtersSet(filter) > 0 || filter.search !== '';
  return (
    <View
      title={app === null ? 'All runs' : `Runs of ${visible(app)}`}
      actions={app === null ? undefined : <SetLinks app={app} />}
    >
      <Problem text={problem} />
      {baseline !== null && app !== null && <BaselineBand app={app} run={baseline} />}
      <RunFilterBar app={app} filter={filter} choices={filters} change={change} />
      <div class="runs-bar">
        <PickPage runs={runs} chosen={isChosen} choose={(ids) => choose(ids)} all={chosen} />
        <p role="status">
          {deleted === null
            ? countText(page, isFiltered, app === null ? page?.total : filters?.runs)
            : `Deleting… ${deleted.done.toLocaleString('en')} of ${deleted.of.toLocaleString('en')}`}
        </p>
        {chosen.length > 0 && (
          <div class="chosen-runs">
            <b>{chosen.length.toLocaleString('en')} chosen</b>
            <CompareLinks chosen={chosenRuns} />
            <Button
              text="Delete…"
              unseen={` ${count(chosen.length, 'run')}`}
              class="danger"
              disabled={deleted !== null || chosenRuns.length === 0}
              onClick={() => setDeleting(chosenRuns)}
            />
            {page !== null &&
              page.matching !== null &&
              page.matching > runs.length &&
              page.matching <= MOST_CHOSEN &&
              chosen.length < page.matching && (
                <Button text={`Choose all ${page.matching}`} class="quiet" onClick={() => void chooseAll()} />
              )}
            <Button text="Choose none" class="quiet" onClick={() => choose([])} />
          </div>
        )}
        {chosen.length === 0 && common.length > 0 && (
          <p class="common-criteria" title="Criteria of the runs below. Rows with others list them.">
            <span class="unseen">Judged by </span>
            {common.map(ruleText).map(visible).join(', ')}
          </p>
        )}
      </div>
      {page === null && problem === undefined && <Skeleton of="the runs" lines={12} />}
      {page !== null && runs.length === 0 && !isOld && <NoRuns isFiltered={isFiltered} />}
      {runs.length > 0 && (
        <div class={isOld ? 'old-runs' : ''}>
          <RunTable
            runs={runs}
            chosen={isChosen}
            common={common}
            order={filter.sort}
            sort={(sort) => change({ sort })}
            actions={{ toggle, rename: setRenaming, remove: (run) => setDeleting([run]) }}
          />
        </div>
      )}
      <Pager route={route} filter={filter} pages={pages} isMore={page?.matching === null} />
      {renaming !== null && <RunNameDialog run={renaming} renamed={replace} close={() => setRenaming(null)} />}
      {deleting !== null && (
        <DeleteRunsDialog runs={deleting} run={(some) => void remove(some)} close={() => setDeleting(null)} />
      )}
    </View>
  );
}

/** Returns how many runs are shown, of how many. */
function countText(
  page: { readonly matching: number | null; readonly runs: readonly unknown[] } | null,
  isFiltered: boolean,
  all: number | undefined,
): string {
  if (page === null) return 'Reading the runs…';
  if (page.matching === null) return `${count(page.runs.length, 'run')} so far, still counting…`;
  if (!isFiltered || all === undefined) return count(page.matching, 'run');
  return `${page.matching.toLocaleString('en')} of ${count(all, 'run')}`;
}

function NoRuns({ isFiltered }: { readonly isFiltered: boolean }) {
  if (isFiltered) return <p class="empty">No run fits. Show all, or search for less.</p>;
  return (
    <p class="empty">
      No runs yet. Open an eval set and run it, or use <code>npx agent-criteria eval</code>.
    </p>
  );
}

/** Chooses all runs of the page, or none of them. */
function PickPage(props: {
  readonly runs: readonly RunSummary[];
  readonly chosen: ReadonlySet<string>;
  readonly all: readonly string[];
  choose(ids: readonly string[]): void;
}) {
  const { runs, chosen, all, choose } = props;
  const ids = runs.map(({ id }) => id);
  const number = ids.filter((id) => chosen.has(id)).length;
  const isAll = number > 0 && number === ids.length;
  return (
    <label class="pick">
      <input
        type="checkbox"
        aria-label="Choose all runs of this page"
        disabled={ids.length === 0}
        checked={isAll}
        indeterminate={number > 0 && !isAll}
        onChange={() => choose(isAll ? all.filter((id) => !ids.includes(id)) : [...all, ...ids])}
      />
    </label>
  );
}

/** Leads to comparisons of the chosen runs, oldest first. */
function CompareLinks({ chosen }: { readonly chosen: readonly RunSummary[] }) {
  const sorted = chosen.toSorted((a, b) => a.startedAt - b.startedAt);
  const [first, second] = sorted;
  if (first === undefined) return null;
  if (second === undefined) {
    const baseline = pinOf(first.app);
    if (baseline !== null && baseline !== first.id) {
      return <a href={formatRoute(compareRoute(baseline, first.id))}>Compare with the baseline</a>;
    }
    return <span class="note">Choose another run to compare it with, or several.</span>;
  }
  if (sorted.length > MOST_BESIDE) return null;
  const newestFirst = sorted.toReversed().map(({ id }) => id);
  return (
    <>
      {sorted.length === 2 && (
        <a class="button" href={formatRoute(compareRoute(first.id, second.id))}>
          Compare the two
        </a>
      )}
      <a href={formatRoute(matrixRoute(newestFirst))}>Cases side by side</a>
    </>
  );
}

function Pager(props: {
  readonly route: RunsRoute;
  readonly filter: RunListFilter;
  readonly pages: number;
  /** Whether there may be further pages. */
  readonly isMore: boolean;
}) {
  const { route, filter, pages, isMore } = props;
  const { page } = filter;
  if (pages <= 1 && page === 1 && !isMore) return null;
  const to = (next: number, text: string) =>
    next >= 1 && (next <= pages || isMore) ? (
      <a class="action" href={formatRoute({ ...route, filter: { ...filter, page: next } })}>
        {text}
      </a>
    ) : null;
  return (
    <nav class="pager" aria-label="Pages of runs">
      {to(page - 1, '← Previous')}
      <span>
        Page {page.toLocaleString('en')}
        {!isMore && ` of ${pages.toLocaleString('en')}`}
      </span>
      {to(page + 1, 'Next →')}
    </nav>
  );
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

function verdictOf({ outcome, summary }: RunDetail) {
  return outcome?.verdict ?? summary.verdict;
}

/** Shows the pinned run, with which the app's other runs are compared, above their list. */
function BaselineBand({ app, run }: { readonly app: string; readonly run: string }) {
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
