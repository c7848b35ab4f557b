import type { LiveRuns } from './live-runs.ts';

/** Starts nothing more in any run, and waits for what is under way. @returns The folders of the runs that are incomplete. */
export async function drainRuns(runs: LiveRuns): Promise<readonly string[]> {
  const ended = runs.under().map(async ({ cancel, done }) => {
    cancel();
    const { outcome, folder } = await done;
    return outcome.finished ? [] : [folder];
  });
  // One that was refused has nothing to resume.
  const settled = await Promise.allSettled(ended);
  return settled.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
}
