import { CriteriaError } from '@agent-criteria/core';
import type { GatesOfRun } from '@agent-criteria/runner';
import { loadInstruments } from '../load-instruments.ts';
import type { PreparedRun } from '../prepared-run.ts';
import { prepareGates } from './run-gates.ts';

/**
 * Prepares the gates in the configs of a run, for an application that has no flags for gates. If the command would reject them, for
 * example because the baseline is given only by a flag in the CI job, they are undecided, but the run continues.
 */
export async function gatesOfConfigs(prepared: PreparedRun): Promise<GatesOfRun | undefined> {
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
