import type { RunSummary } from '../../api.ts';
import { ask } from '../api-client.ts';

/** Finds the newest finished run of a set among the last 20 runs of its agent. Runs name a set by its own id, requests by its file. */
export async function lastRun(app: string, set: string): Promise<RunSummary | null> {
  const { runs } = await ask('GET /runs', { query: { app, limit: 20 } });
  for (const run of runs) {
    if (run.state !== 'finished') continue;
    const { places } = await ask('GET /runs/:run', { run: run.id });
    if (places.some((place) => place.app === app && place.set === set)) return run;
  }
  return null;
}
