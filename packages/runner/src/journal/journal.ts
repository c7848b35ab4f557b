import type { Inference, UnitKey } from '@agent-criteria/core';
import type { UnitScores, Verdict } from '@agent-criteria/core/host';
import type { CompactCaseResult, RunCall } from '@agent-criteria/results';
import { keyText } from '../unit-key.ts';

/**
 * Where a run is stored, one unit at a time: in memory, in a folder, or in a store of your own (`journalOf`). Everything
 * is addressed by unit key. The planner numbers the requests for a unit: a record answers one of them by its ticket.
 */
export interface Journal {
  /** What there is of every unit, in one pass. Read it once, at the start. */
  states(): AsyncIterable<UnitState>;
  /** The inference that counts now; `null`: there is none. */
  inference(key: UnitKey): Promise<InferenceRecord | null>;
  /** The scores that were kept last, of whichever inference; `null`: there are none. */
  scores(key: UnitKey): Promise<ScoreRecord | null>;
  /** The calls of a unit, in the order in which they were kept. */
  calls(key: UnitKey): Promise<readonly RunCall[]>;
  /**
   * Each of the following copies its argument before it returns. What is `kept` survives the end of this process at any
   * moment after. A rejection means that nothing more can be kept: the run ends.
   */
  keepInference(record: InferenceRecord): Promise<Outcome>;
  /** `stale` unless the scores are of the inference that is kept. */
  keepScores(record: ScoreRecord): Promise<Outcome>;
  keepCall(record: CallRecord): Promise<Outcome>;
  /** Waits for what is under way. Whatever is kept afterwards is rejected. */
  close(): Promise<void>;
}

/** What became of a record. `duplicate`: the same ticket was kept before, and stays. `stale`: a later one was. */
export type Outcome = 'kept' | 'duplicate' | 'stale';

/** What an agent did in a unit. */
export interface InferenceRecord {
  readonly key: UnitKey;
  /** From 1: which request for this unit it answers. */
  readonly ticket: number;
  /** The hash of what the agent saw of the case, as `seenHash` makes it. */
  readonly seen: string;
  readonly inference: Inference;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly endedAt: number;
}

/** The scores of a unit. */
export interface ScoreRecord {
  readonly key: UnitKey;
  /** From 1: which request for scores of this unit it answers. */
  readonly ticket: number;
  /** The ticket of the inference that was scored. */
  readonly of: number;
  readonly scores: Omit<UnitScores, 'key'>;
  /** What the case came to, with the record that completes it. */
  readonly case?: CaseRecord | undefined;
}

/** What a case came to. */
export interface CaseRecord {
  /** The tickets of the scores it was made of, in the order of the repeats. */
  readonly of: readonly number[];
  readonly result: CompactCaseResult;
}

/** A call to a model or a paid service. */
export interface CallRecord {
  /** Unique in the run. */
  readonly id: string;
  readonly call: RunCall;
  /** What was asked and answered, as JSON; the call names them by their hashes. `null`: no answer came. */
  readonly request: string;
  readonly answer: string | null;
}

/** What a journal has of a unit: enough to plan a run and to sum one up. */
export interface UnitState {
  readonly key: UnitKey;
  /**
   * The highest ticket of an inference that is known here, also of one that was lost: the next request takes one more.
   */
  readonly highest: number;
  readonly inferred: InferredState | null;
  readonly scored: ScoredState | null;
}

export interface InferredState {
  readonly ticket: number;
  readonly seen: string;
  /** It ended by error or abort. */
  readonly failed: boolean;
}

export interface ScoredState {
  readonly ticket: number;
  /** The ticket of the inference that was scored; it may be another than the one that is kept. */
  readonly of: number;
  /** Whether a score could not be judged, so that scoring again may help. */
  readonly unjudged: boolean;
  /** The case that these scores completed. */
  readonly case: { readonly of: readonly number[]; readonly verdict: Verdict } | null;
}

/** A journal that is the given one, except for the methods in `changes`. */
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

/** States by the text of their keys. Reads all of them, in one pass. */
export async function statesByKey(
  states: Iterable<UnitState> | AsyncIterable<UnitState>,
): Promise<Map<string, UnitState>> {
  const byKey = new Map<string, UnitState>();
  for await (const state of states) byKey.set(keyText(state.key), state);
  return byKey;
}
