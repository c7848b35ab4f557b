import { isObject } from '@agent-criteria/formats';
import { namedCriteria, type RunInfo, type RunSet } from '@agent-criteria/results';
import type { NewRun, RunSetPlace } from '../../api.ts';

/** Matches the config file of a run whose criteria were chosen in the studio. */
const CHOSEN = /[\\/]studio[\\/][0-9a-f]{16}\.config\.json$/;

/** Creates a request to rerun one case with the same criteria, or returns `null` for a run of several agents. */
export function rerunOf(
  info: Pick<RunInfo, 'repeats' | 'auto' | 'variants'>,
  set: Pick<RunSet, 'configFile' | 'criteria'>,
  place: RunSetPlace,
  caseId: string,
): NewRun | null {
  if (info.variants !== undefined) return null;
  const metrics = namedCriteria(set).map(({ name, threshold, written }) => {
    const { threshold: _, ...criterion } = isObject(written) ? written : {};
    return { metricName: name, threshold, ...(Object.keys(criterion).length > 0 ? { criterion } : {}) };
  });
  return {
    app: place.app,
    sets: [place.set],
    cases: [caseId],
    ...(info.repeats > 1 && info.auto === undefined ? { repeats: info.repeats } : {}),
    ...(CHOSEN.test(set.configFile ?? '') ? { metrics } : {}),
  };
}
