import type { GateRecord } from './outcome-record.ts';

/** The id of the run whose regression a run with these gates was to confirm; `undefined`: the run confirms none. */
export function confirmedRun(gates: readonly Pick<GateRecord, 'confirms'>[]): string | undefined {
  return gates.find(({ confirms }) => confirms !== undefined)?.confirms;
}
