import { CriteriaError } from '@agent-criteria/core';
import { type GatesOfRun, loadInstruments, type PreparedRun, prepareGates } from '@agent-criteria/project';

/**
 * What the configs of a run ask of it as a whole; `undefined`: nothing. Gates that the command would refuse, such as one without its
 * baseline, which flags of a CI job may name, cannot tell: the run itself can go on.
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
