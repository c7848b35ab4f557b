import type { Inference, UnitKey } from '@agent-criteria/core';
import type { UnitScores, Verdict } from '@agent-criteria/core/host';
import type { CompactCaseResult, RunCall } from '@agent-criteria/results';
import { keyText } from '../unit-key.ts';

/**
 * Stores a run, one unit at a time: in memory, in a folder, or in a store of your own (`journalOf`). Records are addressed by unit
 * key. The planner numbers the requests for a unit, and a record answers one of them by its ticket.
 */
export interface Journal {
  /** Returns the state of every unit, in one pass. Read it once, at the start. */
  states(): AsyncIterable<UnitState>;
  /** Returns the current inference; `null` if there is none. */
  inference(key: UnitKey): Promise<InferenceRecord | null>;
  /** Returns the latest scores, of the current or an earlier inference; `null` if there are none. */
  scores(key: UnitKey): Promise<ScoreRecord | null>;
  /** Returns the calls of a unit, in the order in which they were stored. */
  calls(key: UnitKey): Promise<readonly RunCall[]>;
  /**
   * Stores an inference. Like the next two methods, it copies its argument before it returns. A `kept` record survives the end of
   * this process at any later moment. A rejection means that nothing more can be stored, and ends the run.
   */
  keepInference(record: InferenceRecord): Promise<Outcome>;
  /** Stores scores. The outcome is `stale` unless they are of the current inference. */
  keepScores(record: ScoreRecord): Promise<Outcome>;
  keepCall(record: CallRecord): Promise<Outcome>;
  /** Waits for records in flight. Later records are rejected. */
  close(): Promise<void>;
}

/** The outcome of storing a record. `duplicate`: its ticket was stored before, and stays. `stale`: a later ticket was. */
export type Outcome = 'kept' | 'duplicate' | 'stale';

/** The inference of a unit. */
export interface InferenceRecord {
  readonly key: UnitKey;
  /** The number of the request for this unit that it answers, from 1. */
  readonly ticket: number;
  /** The hash of the agent's input, as `seenHash` computes it. */
  readonly seen: string;
  readonly inference: Inference;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly endedAt: number;
}

/** The scores of a unit. */
export interface ScoreRecord {
  readonly key: UnitKey;
  /** The number of the request for scores of this unit that it answers, from 1. */
  readonly ticket: number;
  /** The ticket of the inference that was scored. */
  readonly of: number;
  readonly scores: Omit<UnitScores, 'key'>;
  /** The result of the case, in the record that completes it. */
  readonly case?: CaseRecord | undefined;
}

/** The result of a case. */
export interface CaseRecord {
  /** The tickets of its scores, in the order of the repeats. */
  readonly of: readonly number[];
  readonly result: CompactCaseResult;
}

/** A call to a model or a paid service. */
export interface CallRecord {
  /** Unique in the run. */
  readonly id: string;
  readonly call: RunCall;
  /** The request and the answer as JSON, which `call` names by their hashes. `null` for a failed call. */
  readonly request: string;
  readonly answer: string | null;
}

/** The state of a unit in a journal: enough to plan a run and to summarise it. */
export interface UnitState {
  readonly key: UnitKey;
  /** The highest known ticket of an inference, even if that was lost. The next request takes one more. */
  readonly highest: number;
  readonly inferred: InferredState | null;
  readonly scored: ScoredState | null;
}

export interface InferredState {
  readonly ticket: number;
  readonly seen: string;
  /** Whether it ended in an error or an abort. */
  readonly failed: boolean;
}

export interface ScoredState {
  readonly ticket: number;
  /** The ticket of the scored inference, which may be an earlier one than the current. */
  readonly of: number;
  /** Whether a score could not be judged, so that scoring again may help. */
  readonly unjudged: boolean;
  /** The result of the case, if these scores complete it. */
  readonly case: { readonly of: readonly number[]; readonly verdict: Verdict } | null;
}

/** Returns a journal with some of its methods replaced. */
export function changedJournal(journal: Journal, changes: Partial<Journal>): Journal {
  return {
    states: () => journal.states(),
    inference: (key) => journal.inference(key),
    scores: (key) => journal.scores(key),
    calls: (key) => journal.calls(key),
    keepInference: (record) => journal.keepInference(record),
    keepScores: (record) => journal.keepScores(record),
    keepCall: (record) => journal.keepCall(record),
    close: () => journal.close(),
    ...changes,
  };
}

/** Reads all states, by the text of their keys. */
export async function statesByKey(
  states: Iterable<UnitState> | AsyncIterable<UnitState>,
): Promise<Map<string, UnitState>> {
  const byKey = new Map<string, UnitState>();
  for await (const state of states) byKey.set(keyText(state.key), state);
  return byKey;
}
