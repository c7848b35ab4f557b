import type { Problem } from '@agent-criteria/formats';
import type { Tools } from './tools.ts';
import type { UnitKey } from './transcript.ts';

/** Who calls a model or a paid service. */
export interface Caller {
  readonly role: 'user' | 'criterion';
  readonly key: UnitKey;
  /** The criterion or the simulator that asks. */
  readonly name: string;
  /**
   * From 0; `null` for a whole conversation. Of a simulated user, who is one for all turns, the turn whose message it makes
   * now: read it with each call.
   */
  readonly turn: number | null;
}

/**
 * What sits between callers and models or paid services: cache and recordings, a budget, retries, limits. One for
 * all calls of a run, so that a limit is one limit. `@agent-criteria/models` makes them; without, calls go straight through.
 */
export interface CallPolicies {
  /** The same tools under these policies. */
  apply(tools: Tools, caller: Caller): Tools;
  /** Resolves when everything is saved. Called once, after the last call has ended. */
  close(): Promise<readonly Problem[]>;
}
