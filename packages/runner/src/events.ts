import type { Ending, UnitKey } from '@agent-criteria/core';
import type { CaseResult, Summary, Verdict } from '@agent-criteria/core/host';
import type { EndedCall } from './record-calls.ts';

/** What happens during a run, as it happens. `at` is in milliseconds since the epoch. Reporters watch; nothing waits for them. */
export type RunEvent = { readonly at: number } & (
  | {
      readonly type: 'run-started';
      /** `null`: the run is held in memory only. */
      readonly folder: string | null;
      /** How many units there are in all. */
      readonly units: number;
      readonly repeats: number;
    }
  /** An earlier start of this run has finished the case. */
  | { readonly type: 'case-known'; readonly setId: string; readonly caseId: string; readonly verdict: Verdict }
  | { readonly type: 'unit-started'; readonly key: UnitKey }
  /** `turn` from 0. */
  | { readonly type: 'turn-finished'; readonly key: UnitKey; readonly turn: number }
  /** The agent's part is over; `startedAt` is when it began. */
  | { readonly type: 'unit-inferred'; readonly key: UnitKey; readonly ending: Ending; readonly startedAt: number }
  | { readonly type: 'unit-scored'; readonly key: UnitKey; readonly startedAt: number }
  /** To a model or a paid service, answered or not; from a cache, too. */
  | { readonly type: 'call-finished'; readonly call: EndedCall }
  | { readonly type: 'case-finished'; readonly result: CaseResult }
  | { readonly type: 'run-finished'; readonly summary: Summary; readonly finished: boolean }
);

/** Watches a run. What it throws is not the run's concern and is dropped. */
export type RunWatcher = (event: RunEvent) => void;
