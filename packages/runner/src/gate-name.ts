import type { GateRecord } from '@agent-criteria/results';

/** What identifies a gate of a run: its name, its variant, and the run that it confirms. */
export type GateName = Pick<GateRecord, 'name' | 'variant' | 'confirms'>;
