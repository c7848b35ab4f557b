import { useEffect, useState } from 'preact/hooks';
import type { RunColumns } from '../../api.ts';
import { ask, messageOf } from '../api-client.ts';
import type { MatrixRoute } from '../route.ts';

/** Most runs of the same sets that are shown. */
const NEWEST = 10;

interface Columns {
  /** Those that have been read, in the order of the columns. */
  readonly runs: readonly RunColumns[];
  readonly isWhole: boolean;
  readonly problem: string | undefined;
}

/** Reads the runs of a matrix one after another, and offers them as they arrive. */
export function useColumns({ runs, newest, cells }: MatrixRoute): Columns {
  const [columns, setColumns] = useState<Columns>({ runs: [], isWhole: false, problem: undefined });
  useEffect(() => {
    const stop = new AbortController();
    const read = async () => {
      const [first = ''] = runs;
      const { signal } = stop;
      const ids = newest
        ? await ask('GET /runs/:run/same-sets', { run: first, query: { limit: NEWEST }, signal })
        : runs;
      const found: RunColumns[] = [];
      for (const run of ids) {
        found.push(await ask('GET /runs/:run/columns', { run, query: { answers: cells === 'answers' }, signal }));
        if (!signal.aborted) setColumns({ runs: [...found], isWhole: found.length === ids.length, problem: undefined });
      }
    };
    setColumns({ runs: [], isWhole: false, problem: undefined });
    read().catch((error: unknown) => {
      if (!stop.signal.aborted) setColumns((now) => ({ ...now, isWhole: true, problem: messageOf(error) }));
    });
    return () => stop.abort();
  }, [runs.join(' '), newest, cells]);
  return columns;
}
