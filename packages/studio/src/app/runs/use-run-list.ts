import { useEffect, useRef, useState } from 'preact/hooks';
import type { RunFilters, RunPage, RunSummary } from '../../api.ts';
import { addressOf, ask, messageOf } from '../api-client.ts';
import { useReturn } from '../use-return.ts';
import { queryOf, type RunListFilter } from './run-list-filter.ts';

/** Polling interval in milliseconds while runs are in flight. */
const PACE = 3000;

/** Reads a page of the list of runs, and again while one of its runs is under way. */
export function useRunList(app: string | null, filter: RunListFilter) {
  const [page, setPage] = useState<RunPage | null>(null);
  const [filters, setFilters] = useState<RunFilters | null>(null);
  const [problem, setProblem] = useState<string>();
  const [age, setAge] = useState(0);
  const [filtersAge, setFiltersAge] = useState(0);
  /** The address of the page shown. */
  const [shown, setShown] = useState('');
  const query = queryOf(app, filter);
  const address = addressOf('GET /runs', { query });
  const owner = useRef(app);
  if (owner.current !== app) {
    owner.current = app;
    setPage(null);
    setFilters(null);
  }
  const reload = () => setAge((now) => now + 1);
  useEffect(() => {
    const request = new AbortController();
    const { signal } = request;
    ask('GET /runs', { query, signal }).then(
      (found) => {
        if (signal.aborted) return;
        setPage(found);
        setShown(address);
        setProblem(undefined);
      },
      (error) => {
        if (!signal.aborted) setProblem(messageOf(error));
      },
    );
    return () => request.abort();
  }, [address, age]);
  useEffect(() => {
    const request = new AbortController();
    const { signal } = request;
    ask('GET /run-filters', { query: { app: app ?? undefined }, signal }).then(
      (found) => {
        if (!signal.aborted) setFilters(found);
      },
      () => undefined,
    );
    return () => request.abort();
  }, [app, filtersAge]);
  const isCounted = page?.matching !== null;
  // The number of runs that fit is known once all have been read.
  useEffect(() => {
    if (!isCounted && filters !== null) reload();
  }, [isCounted, filters]);
  const isUnderWay = page?.runs.some(({ result }) => result === 'under-way') ?? false;
  useEffect(() => {
    if (!isUnderWay) return;
    const timer = setInterval(reload, PACE);
    return () => clearInterval(timer);
  }, [isUnderWay]);
  const reloadAll = () => {
    reload();
    setFiltersAge((now) => now + 1);
  };
  useReturn(reloadAll);
  return {
    page,
    filters,
    problem,
    /** Whether the page shown is of another filter, because the right one is still being read. */
    isOld: page !== null && shown !== address,
    shown,
    reload: reloadAll,
    /** Shows a run as it is now. */
    replace(run: RunSummary): void {
      setPage((now) => now && { ...now, runs: now.runs.map((one) => (one.id === run.id ? run : one)) });
    },
  };
}
