import type { Problem } from '@agent-criteria/formats';
import type { Tools } from './tools.ts';
import type { UnitKey } from './transcript.ts';

/** The origin of a call to a model or a paid service. */
export interface Caller {
  readonly role: 'user' | 'criterion' | 'tool';
  readonly key: UnitKey;
  /** The name of the criterion or simulator; for a simulated tool, that of its simulator. */
  readonly name: string;
  /**
   * From 0, or `null` for a whole conversation. Simulated users and tools are one caller for all turns, so this changes to the
   * turn in progress: read it on each call.
   */
  readonly turn: number | null;
}

/**
 * The layer between callers and models or paid services: cache, recordings, budget, retries and limits. One instance
 * serves all calls of a run, so that limits apply to the run as a whole. Created by `@agent-criteria/models`; without
 * it, calls are made directly.
 */
export interface CallPolicies {
  /** Returns the same tools under these policies. */
  apply(tools: Tools, caller: Caller): Tools;
  /** Resolves once everything is saved. Called once, after the last call has ended. */
  close(): Promise<readonly Problem[]>;
}
