import type { CaseResult, UnitScores } from '@agent-criteria/core/host';
import { expandCaseResult, type RunCall, type RunCase, type RunInference } from '@agent-criteria/results';
import { copyJson } from '../copy-json.ts';
import type { PlannedSet } from '../planned-set.ts';
import { caseText } from '../unit-key.ts';
import { changedJournal, type InferenceRecord, type Journal } from './journal.ts';
import { unfinishedCase } from './read-cases.ts';

interface CollectedCase {
  inferences: RunInference[];
  /** Empty once the case is complete. */
  scores: UnitScores[];
  calls: RunCall[];
  result: CaseResult | null;
}

/** Collects everything that a new run of a set stores, so that the caller need not read it back. */
export function collectCases({ plan }: PlannedSet) {
  const { evalSetId: setId, evalCases } = plan.evalSet;
  const collected = new Map<string, CollectedCase>();
  const caseFor = ({ caseId, variant }: Pick<CaseResult, 'caseId' | 'variant'>): CollectedCase => {
    // All calls are for the same set, and either all or none have a variant.
    const text = variant === undefined ? caseId : caseText({ setId, caseId, variant });
    const known = collected.get(text);
    if (known !== undefined) return known;
    const first: CollectedCase = { inferences: NONE, scores: NONE, calls: NONE, result: null };
    collected.set(text, first);
    return first;
  };
  return {
    /**
     * Wraps a journal and collects what is stored in it. The turns of an inference are not copied, because nothing
     * changes them once they have been scored. Everything that event watchers can see is copied.
     */
    in: (journal: Journal): Journal =>
      changedJournal(journal, {
        keepInference: (record) =>
          journal.keepInference(record).then((outcome) => {
            if (outcome === 'kept') {
              const one = caseFor(record.key);
              one.inferences = added(one.inferences, collectedInference(record));
            }
            return outcome;
          }),
        keepScores: (record) =>
          journal.keepScores(record).then((outcome) => {
            if (outcome !== 'kept') return outcome;
            const one = caseFor(record.key);
            one.scores = added(one.scores, { key: record.key, ...record.scores });
            if (record.case !== undefined) {
              one.result = copyJson(expandCaseResult(record.case.result, one.scores));
              one.scores = NONE;
            }
            return outcome;
          }),
        keepCall: (record) =>
          journal.keepCall(record).then((outcome) => {
            if (outcome === 'kept') {
              const one = caseFor(record.call.key);
              one.calls = added(one.calls, copyJson(record.call));
            }
            return outcome;
          }),
      }),
    /** Returns the cases in order, once per variant. An unfinished case counts as an error. */
    cases(repeats: number, variants: readonly string[]): RunCase[] {
      const agents = variants.length === 0 ? [{}] : variants.map((variant) => ({ variant }));
      return evalCases.flatMap((evalCase) =>
        agents.map((agent): RunCase => {
          const ids = { setId, caseId: evalCase.evalId, ...agent };
          const { inferences, calls, result } = caseFor(ids);
          inferences.sort((a, b) => a.key.repeat - b.key.repeat);
          // Sort by completion, breaking ties as a run folder does.
          calls.sort((a, b) => a.endedAt - b.endedAt || a.key.repeat - b.key.repeat);
          return {
            setId,
            ...agent,
            evalCase,
            result: result ?? unfinishedCase(ids, { inferences, calls, repeats }),
            inferences: inferences.map(copyUnlessFrozen),
            calls,
          };
        }),
      );
    },
  };
}

/** Copies the key and the ending, because events expose them to watchers. */
function collectedInference({ key: { repeat, ...ids }, inference, startedAt, endedAt }: InferenceRecord): RunInference {
  const copy = { ...inference, ending: copyJson(inference.ending) };
  return { key: { ...ids, repeat }, inference: copy, startedAt, endedAt };
}

/**
 * Copies an inference that was not scored: nothing has frozen its turns, and a simulated user may still hold references
 * to them.
 */
function copyUnlessFrozen(recorded: RunInference): RunInference {
  return Object.isFrozen(recorded.inference.invocations) ? recorded : copyJson(recorded);
}

const NONE: never[] = [];

/** Adds an item. Most lists have one item, and pushing onto an empty array would reserve room for sixteen more. */
function added<T>(list: T[], item: T): T[] {
  if (list.length === 0) return [item];
  list.push(item);
  return list;
}
