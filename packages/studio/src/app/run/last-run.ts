import type { RunDetail, RunPage, RunSummary } from '../../api.ts';
import { ask, path } from '../api-client.ts';

/** The newest finished run of a set, if it is among the last ones of its agent. Runs name a set by its own id, requests by its file. */
export async function lastRun(app: string, set: string): Promise<RunSummary | null> {
  const { runs } = await ask<RunPage>('GET', `/runs?${new URLSearchParams({ app, limit: '20' })}`);
  for (const run of runs) {
    if (run.state !== 'finished') continue;
    const { places } = await ask<RunDetail>('GET', path('runs', run.id));
    if (places.some((place) => place.app === app && place.set === set)) return run;
  }
  return null;
}
