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
    // All have the same set, and either all have a variant or none has.
    const text = variant === undefined ? caseId : caseText({ setId, caseId, variant });
    const known = collected.get(text);
    if (known !== undefined) return known;
    const first: CollectedCase = { inferences: NONE, scores: NONE, calls: NONE, result: null };
    collected.set(text, first);
    return first;
  };
  return {
    /**
     * Wraps a journal, and collects what is stored there. The turns of an inference are not copied, because nothing changes them once
     * they are scored. Everything that is passed to a watcher of events is copied.
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
    /** Returns the cases in order, each once for each variant. An unfinished case is an error. */
    cases(repeats: number, variants: readonly string[]): RunCase[] {
      const agents = variants.length === 0 ? [{}] : variants.map((variant) => ({ variant }));
      return evalCases.flatMap((evalCase) =>
        agents.map((agent): RunCase => {
          const ids = { setId, caseId: evalCase.evalId, ...agent };
          const { inferences, calls, result } = caseFor(ids);
          inferences.sort((a, b) => a.key.repeat - b.key.repeat);
          // In order of completion; ties in the order of a folder.
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

/** Copies the key and the ending, which events show to a watcher. */
function collectedInference({ key: { repeat, ...ids }, inference, startedAt, endedAt }: InferenceRecord): RunInference {
  const copy = { ...inference, ending: copyJson(inference.ending) };
  return { key: { ...ids, repeat }, inference: copy, startedAt, endedAt };
}

/** Without scoring, nothing has frozen the turns, and a simulated user may still have references to them. */
function copyUnlessFrozen(recorded: RunInference): RunInference {
  return Object.isFrozen(recorded.inference.invocations) ? recorded : copyJson(recorded);
}

const NONE: never[] = [];

/** Adds an item. Most lists have one item, and pushing onto an empty list would reserve room for sixteen more. */
function added<T>(list: T[], item: T): T[] {
  if (list.length === 0) return [item];
  list.push(item);
  return list;
}
