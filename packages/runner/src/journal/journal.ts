import type { Inference, UnitKey } from '@agent-criteria/core';
import type { UnitScores, Verdict } from '@agent-criteria/core/host';
import type { CompactCaseResult, RunCall } from '@agent-criteria/results';
import { keyText } from '../unit-key.ts';

/**
 * Stores a run, one unit at a time, in memory, in a folder, or in a store of your own (`journalOf`). Records are
 * addressed by unit key. The planner numbers its requests for a unit, and the ticket of a record says which request it
 * answers.
 */
export interface Journal {
  /** Yields the state of every unit in one pass. Call this once, at the start. */
  states(): AsyncIterable<UnitState>;
  /** Returns the current inference, or `null` if there is none. */
  inference(key: UnitKey): Promise<InferenceRecord | null>;
  /** Returns the latest scores, whether of the current or an earlier inference, or `null` if there are none. */
  scores(key: UnitKey): Promise<ScoreRecord | null>;
  /** Returns a unit's calls, in the order in which they were stored. */
  calls(key: UnitKey): Promise<readonly RunCall[]>;
  /**
   * Stores an inference. Like the next two methods, it copies its argument before it returns. Once a record is `kept`,
   * it survives the end of this process, unless the journal is in memory. A rejection means that nothing more can be
   * stored, and ends the run.
   */
  keepInference(record: InferenceRecord): Promise<Outcome>;
  /** Stores scores. The outcome is `stale` unless they were made from the current inference. */
  keepScores(record: ScoreRecord): Promise<Outcome>;
  keepCall(record: CallRecord): Promise<Outcome>;
  /** Waits for writes in flight. Later records are rejected. */
  close(): Promise<void>;
}

/**
 * The outcome of storing a record. `duplicate` if a record with this ticket is already stored; the stored record is
 * kept. `stale` if a record with a later ticket is already stored.
 */
export type Outcome = 'kept' | 'duplicate' | 'stale';

/** A unit's inference. */
export interface InferenceRecord {
  readonly key: UnitKey;
  /** The number of the request for this unit that the record answers, starting at 1. */
  readonly ticket: number;
  /** The hash of the agent's input, as computed by `seenHash`. */
  readonly seen: string;
  readonly inference: Inference;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly endedAt: number;
}

/** A unit's scores. */
export interface ScoreRecord {
  readonly key: UnitKey;
  /** The number of the request for this unit's scores that the record answers, starting at 1. */
  readonly ticket: number;
  /** The ticket of the inference that was scored. */
  readonly of: number;
  readonly scores: Omit<UnitScores, 'key'>;
  /** The case result, in the record that completes the case. */
  readonly case?: CaseRecord | undefined;
}

/** The result of a case, and the scores it was made from. */
export interface CaseRecord {
  /** The tickets of the scores it was made from, in repeat order. */
  readonly of: readonly number[];
  readonly result: CompactCaseResult;
}

/** A call to a model or a paid service. */
export interface CallRecord {
  /** Unique within the run. */
  readonly id: string;
  readonly call: RunCall;
  /**
   * The request and the answer as JSON, to which `call` refers by their hashes. The answer of a failed call is `null`.
   */
  readonly request: string;
  readonly answer: string | null;
}

/** The state of a unit in a journal: just enough to plan and summarise a run. */
export interface UnitState {
  readonly key: UnitKey;
  /** The highest known ticket of any inference, even a lost one. The next request uses the one after it. */
  readonly highest: number;
  readonly inferred: InferredState | null;
  readonly scored: ScoredState | null;
}

export interface InferredState {
  readonly ticket: number;
  readonly seen: string;
  /** Whether the inference ended in an error or an abort. */
  readonly failed: boolean;
}

export interface ScoredState {
  readonly ticket: number;
  /** The ticket of the inference that was scored, which may be older than the current one. */
  readonly of: number;
  /** Whether any score could not be judged, so that scoring again may help. */
  readonly unjudged: boolean;
  /** The case result, if these scores complete the case. */
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

/** Reads all states into a map by `keyText` of their keys. */
export async function statesByKey(
  states: Iterable<UnitState> | AsyncIterable<UnitState>,
): Promise<Map<string, UnitState>> {
  const byKey = new Map<string, UnitState>();
  for await (const state of states) byKey.set(keyText(state.key), state);
  return byKey;
}
