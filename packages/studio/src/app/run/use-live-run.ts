import type { PageIndex } from '@agent-criteria/viewer/views';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { CaseIds, LiveChange, RunState } from '../../api.ts';
import { addressOf, ask } from '../api-client.ts';
import { complain } from '../toasts.tsx';
import { addChange, dropOld, NO_ROWS, withChanges } from './live-rows.ts';

/** Minimum time in milliseconds between two reads of the whole page. */
const PACE = 1500;
/** The share of the time that reading the whole page may take, because reading a run of many cases takes long. */
const SHARE = 1 / 10;

export interface LiveRun {
  /** The page with all changes. */
  readonly page: PageIndex | null;
  cancel(): void;
  stop(): void;
}

/**
 * Follows a run in flight. Changes to rows arrive in batches; the whole page, which also has answers, tokens and
 * costs, is read again now and then, and when the run has ended.
 */
export function useLiveRun(given: {
  readonly run: string;
  readonly state: RunState;
  readonly page: PageIndex | null;
  reload(): Promise<void>;
  /** Called when the record of a case has changed. */
  onChange(ids: CaseIds): void;
}): LiveRun {
  const { run, state, page } = given;
  const latest = useRef(given);
  latest.current = given;
  const [changes, setChanges] = useState(NO_ROWS);
  useEffect(() => {
    if (page !== null) setChanges((before) => dropOld(before, page));
  }, [page]);
  useEffect(() => {
    if (state !== 'here' && state !== 'elsewhere') return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isOver = false;
    let pause = PACE;
    const soon = () => {
      timer ??= setTimeout(async () => {
        const begun = Date.now();
        await latest.current.reload();
        pause = Math.max(PACE, (Date.now() - begun) / SHARE);
        timer = undefined;
        if (state === 'elsewhere' && !isOver) soon();
      }, pause);
    };
    if (state === 'elsewhere') {
      soon();
      return () => {
        isOver = true;
        clearTimeout(timer);
      };
    }
    const after = latest.current.page?.progress?.version ?? 0;
    const source = new EventSource(addressOf('GET /runs/:run/changes', { run, query: { after } }));
    source.addEventListener('change', ({ data }) => {
      const change: LiveChange = JSON.parse(data);
      setChanges((before) => addChange(before, change));
      const finished = change.rows.filter(({ row }) => row.verdict !== 'waiting' && row.verdict !== 'running');
      for (const one of finished) latest.current.onChange(one);
      if (finished.length > 0) soon();
    });
    source.addEventListener('end', ({ data }) => {
      source.close();
      clearTimeout(timer);
      const { problem } = JSON.parse(data);
      if (typeof problem === 'string') complain(problem);
      void latest.current.reload();
    });
    return () => {
      source.close();
      clearTimeout(timer);
    };
  }, [run, state]);
  const shown = useMemo(() => page && withChanges(page, changes), [page, changes]);
  return {
    page: shown,
    cancel: () => void ask('POST /runs/:run/cancel', { run }).catch(complain),
    stop: () => void ask('POST /runs/:run/stop', { run }).catch(complain),
  };
}
