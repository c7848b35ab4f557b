import { CriteriaError } from '@agent-criteria/core';
import type { PreparedRun } from '@agent-criteria/project';
import { loadInstruments, prepareGates } from '@agent-criteria/project/runs';
import type { GatesOfRun } from '@agent-criteria/runner';

/**
 * The gates of a run's configs; `undefined`: there are none. If the command would refuse them, for example because only a flag of the CI job names
 * the baseline, they cannot tell, but the run goes on.
 */
export async function gatesOfRun(prepared: PreparedRun): Promise<GatesOfRun | undefined> {
  if (!prepared.judged) return undefined;
  try {
    const gates = await prepareGates(prepared);
    if (gates === null) return undefined;
    const measured = await loadInstruments(prepared.project);
    return { ...gates, results: (run) => gates.results(run, measured) };
  } catch (error) {
    if (!CriteriaError.is(error)) throw error;
    const text = error.message;
    return { decide: false, names: [{ name: 'gates' }], results: async () => [{ name: 'gates', holds: null, text }] };
  }
}
