import type { UnitKey } from '@agent-criteria/core';
import { parseJson } from '@agent-criteria/formats';
import type { RunCall } from '@agent-criteria/results';
import { keyText } from '../unit-key.ts';
import type { Journal, UnitState } from './journal.ts';
import { type InferenceHead, type JournalBackend, journalOf, type ScoreHead } from './journal-of.ts';

/** Creates an in-memory journal. Records read from it are copies. */
export function memoryJournal(): Promise<Journal> {
  return journalOf(memoryBackend());
}

export function memoryBackend(): JournalBackend {
  const inferences = new Map<string, { readonly head: InferenceHead; readonly inference: string }>();
  const scores = new Map<
    string,
    { readonly head: ScoreHead; readonly scores: string; readonly result: string | null }
  >();
  const calls = new Map<string, string[]>();
  const ids = new Set<string>();
  return {
    states: () => [...inferences].map(([text, { head }]) => stateOf(head, scores.get(text)?.head)),
    inference(key) {
      const found = inferences.get(keyText(key));
      if (found === undefined) return null;
      const { failed: _, ...head } = found.head;
      return { ...head, inference: parseJson(found.inference) };
    },
    scores(key) {
      const found = scores.get(keyText(key));
      if (found === undefined) return null;
      const { key: own, ticket, of, case: completed } = found.head;
      const record = { key: own, ticket, of, scores: parseJson(found.scores) };
      if (completed === null || found.result === null) return record;
      return { ...record, case: { of: completed.of, result: parseJson(found.result) } };
    },
    calls: (key: UnitKey): RunCall[] => (calls.get(keyText(key)) ?? []).map((json) => parseJson(json)),
    hasCall: (id) => ids.has(id),
    putInference: (head, inference) => void inferences.set(keyText(head.key), { head, inference }),
    putScores: (head, json, result) => void scores.set(keyText(head.key), { head, scores: json, result }),
    putCall(id, key, json) {
      ids.add(id);
      const text = keyText(key);
      const own = calls.get(text);
      if (own === undefined) calls.set(text, [json]);
      else own.push(json);
    },
    close() {},
  };
}

function stateOf({ key, ticket, seen, failed }: InferenceHead, scored: ScoreHead | undefined): UnitState {
  // A later inference replaces an earlier one, so this ticket is the highest.
  const inferred = { ticket, seen, failed };
  if (scored === undefined) return { key, highest: ticket, inferred, scored: null };
  const { ticket: ofScores, of, unjudged, case: completed } = scored;
  return { key, highest: ticket, inferred, scored: { ticket: ofScores, of, unjudged, case: completed } };
}

/** A journal that stores nothing, for runs that only need a summary. */
export const noJournal: Journal = {
  async *states() {},
  inference: async () => null,
  scores: async () => null,
  calls: async () => [],
  keepInference: async () => 'kept',
  keepScores: async () => 'kept',
  keepCall: async () => 'kept',
  close: async () => undefined,
};
