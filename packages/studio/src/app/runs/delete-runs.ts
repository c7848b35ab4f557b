import { count } from '@agent-criteria/viewer/views';
import type { RunSummary } from '../../api.ts';
import { ask, messageOf, Refused } from '../api-client.ts';
import { pin, pinOf } from '../pinned.ts';
import { loadLastRuns } from '../store.ts';
import { complain, notify } from '../toasts.tsx';

/** Requests at the same time. */
const AT_ONCE = 3;

/**
 * Deletes runs one by one, and reports what became of them.
 * @param progress Called with the number of runs that are done.
 * @returns the ids of the runs that are there no more.
 */
export async function deleteRuns(
  runs: readonly RunSummary[],
  progress: (done: number) => void,
): Promise<readonly string[]> {
  const waiting = [...runs];
  const gone: string[] = [];
  const problems = new Set<string>();
  const work = async () => {
    for (let run = waiting.shift(); run !== undefined; run = waiting.shift()) {
      try {
        await ask('DELETE /runs/:run', { run: run.id });
        gone.push(run.id);
      } catch (error) {
        // Someone else was faster.
        if (error instanceof Refused && error.status === 404) gone.push(run.id);
        else problems.add(messageOf(error));
      }
      if (gone.includes(run.id) && run.app !== null && pinOf(run.app) === run.id) pin(run.app, null);
      progress(runs.length - waiting.length);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  if (gone.length > 0) notify(`Deleted ${count(gone.length, 'run')}.`);
  if (problems.size > 0) {
    const kept = runs.length - gone.length;
    complain(new Error(`${count(kept, 'run')} could not be deleted.\n${[...problems].slice(0, 3).join('\n')}`));
  }
  void loadLastRuns();
  return gone;
}
