import { useEffect, useRef, useState } from 'preact/hooks';
import type { RunSummary } from '../../api.ts';
import { ask } from '../api-client.ts';

/** Most runs that can be chosen at once. Their ids are in the address. */
export const MOST_CHOSEN = 200;

/**
 * Returns what is known about the chosen runs, which may be on other pages.
 * @param drop Called with the ids of runs that are there no more.
 */
export function useChosenRuns(
  chosen: readonly string[],
  onPage: readonly RunSummary[],
  drop: (ids: readonly string[]) => void,
): readonly RunSummary[] {
  const known = useRef(new Map<string, RunSummary>());
  const [, redraw] = useState(0);
  for (const run of onPage) known.current.set(run.id, run);
  const missing = chosen.filter((id) => !known.current.has(id)).join(' ');
  useEffect(() => {
    if (missing === '') return;
    const request = new AbortController();
    const { signal } = request;
    ask('GET /runs', { query: { ids: missing, limit: MOST_CHOSEN }, signal }).then(
      ({ runs, matching }) => {
        if (signal.aborted) return;
        for (const run of runs) known.current.set(run.id, run);
        const gone = missing.split(' ').filter((id) => !known.current.has(id));
        if (gone.length > 0 && matching !== null) drop(gone);
        redraw((now) => now + 1);
      },
      () => undefined,
    );
    return () => request.abort();
  }, [missing]);
  return chosen.flatMap((id) => known.current.get(id) ?? []);
}
