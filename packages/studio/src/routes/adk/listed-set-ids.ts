import type { EvalSetResult } from '@agent-criteria/formats';
import type { App } from '../../apps/app.ts';
import { findSets, openSet } from '../../sets/find-sets.ts';
import type { Studio } from '../../studio.ts';

/*
 * ADK's web UI looks for the results of a set under the id that it is listed with, the name of its file. Results have the
 * id that is written in the file, which may be another one.
 */

/** Gives a result the id with which its set is listed. Unchanged if there is no such set, or several. */
export async function withListedSetId(studio: Studio, app: App, result: EvalSetResult): Promise<EvalSetResult> {
  const sets = await findSets(app, studio.apps);
  if (sets.some(({ id }) => id === result.evalSetId)) return result;
  const named = (await writtenIds(studio, app)).filter(({ written }) => written === result.evalSetId);
  const [only] = named;
  return named.length === 1 && only !== undefined ? { ...result, evalSetId: only.listed } : result;
}

/** Lists what the id of a result may be, if it was composed of the app, the listed id of its set and the time. */
export async function resultIdsFrom(studio: Studio, app: App, id: string): Promise<readonly string[]> {
  return (await writtenIds(studio, app)).flatMap(({ listed, written }) => {
    const start = `${app.name}_${listed}_`;
    return id.startsWith(start) ? [`${app.name}_${written}_${id.slice(start.length)}`] : [];
  });
}

async function writtenIds({ apps }: Studio, app: App) {
  const found: { readonly listed: string; readonly written: string }[] = [];
  for (const set of await findSets(app, apps)) {
    // Files with mistakes have no results.
    const opened = await openSet(set).catch(() => null);
    if (opened !== null) found.push({ listed: set.id, written: opened.value.evalSetId });
  }
  return found;
}
