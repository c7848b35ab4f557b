import type { GateRecord } from '@agent-criteria/results';

/** The name of a gate, and of the variant that it is about. */
export interface GateName extends Pick<GateRecord, 'name' | 'variant'> {
  /** The id of an earlier run beside it, with which this run decides together. Default: this run decides by itself. */
  readonly confirms?: string | undefined;
}
