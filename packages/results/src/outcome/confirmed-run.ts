import type { GateRecord } from './outcome-record.ts';

/** The id of the run whose regression a run with these gates was to confirm; `undefined`: it was no such run. */
export function confirmedRun(gates: readonly GateRecord[]): string | undefined {
  return gates.find(({ confirms }) => confirms !== undefined)?.confirms;
}
