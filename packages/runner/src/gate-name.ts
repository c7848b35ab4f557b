import type { GateRecord } from '@agent-criteria/results';

/** A gate that a run is to answer: its name, its variant, and the id of the run whose regression is to be confirmed. */
export type GateName = Pick<GateRecord, 'name' | 'variant' | 'confirms'>;
