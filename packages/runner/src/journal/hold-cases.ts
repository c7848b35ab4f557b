import type { CaseResult, UnitScores } from '@agent-criteria/core/host';
import { expandCaseResult, type RunCall, type RunCase, type RunInference } from '@agent-criteria/results';
import { copyJson } from '../copy-json.ts';
import { caseText } from '../key-text.ts';
import type { PlannedSet } from '../planned-set.ts';
import { unfinishedCase } from '../unfinished.ts';
import { changedJournal } from './changed-journal.ts';
import type { InferenceRecord, Journal } from './journal.ts';

/** What a new run keeps, for a caller who wants all of it at the end and not to read it back. */
export interface HeldCases {
  /**
   * Keeps in `journal`, and holds what is kept there. The turns of an inference are held without a copy, since nobody else can
   * change them once they are scored; everything that a watcher of the run is shown is copied.
   */
  in(journal: Journal): Journal;
  /** The cases, in the order of their set; with several agents, each case once for each. A case that was not finished is an error. */
  cases(repeats: number, variants: readonly string[]): RunCase[];
}

interface HeldCase {
  inferences: RunInference[];
  /** Until the case is complete. */
  scores: UnitScores[];
  calls: RunCall[];
  result: CaseResult | null;
}

/** Holds nothing yet. @param set Whose cases they are. */
export function holdCases({ plan }: PlannedSet): HeldCases {
  const { evalSetId: setId, evalCases } = plan.evalSet;
  const held = new Map<string, HeldCase>();
  const caseOf = ({ caseId, variant }: Pick<CaseResult, 'caseId' | 'variant'>): HeldCase => {
    // All are of one set, and each of a variant or none.
    const text = variant === undefined ? caseId : caseText({ setId, caseId, variant });
    const known = held.get(text);
    if (known !== undefined) return known;
    const first: HeldCase = { inferences: NONE, scores: NONE, calls: NONE, result: null };
    held.set(text, first);
    return first;
  };
  return {
    in: (journal) =>
      changedJournal(journal, {
        keepInference: (record) =>
          journal.keepInference(record).then((outcome) => {
            if (outcome === 'kept') {
              const own = caseOf(record.key);
              own.inferences = added(own.inferences, heldInference(record));
            }
            return outcome;
          }),
        keepScores: (record) =>
          journal.keepScores(record).then((outcome) => {
            if (outcome !== 'kept') return outcome;
            const own = caseOf(record.key);
            own.scores = added(own.scores, { key: record.key, ...record.scores });
            if (record.case !== undefined) {
              own.result = copyJson(expandCaseResult(record.case.result, own.scores));
              own.scores = NONE;
            }
            return outcome;
          }),
        keepCall: (record) =>
          journal.keepCall(record).then((outcome) => {
            if (outcome === 'kept') {
              const own = caseOf(record.call.key);
              own.calls = added(own.calls, copyJson(record.call));
            }
            return outcome;
          }),
      }),
    cases(repeats, variants) {
      const agents = variants.length === 0 ? [{}] : variants.map((variant) => ({ variant }));
      return evalCases.flatMap((evalCase) =>
        agents.map((agent): RunCase => {
          const ids = { setId, caseId: evalCase.evalId, ...agent };
          const { inferences, calls, result } = caseOf(ids);
          // Repeats end in any order.
          inferences.sort((a, b) => a.key.repeat - b.key.repeat);
          // Of several repeats, as they ended: those of one millisecond as a folder has them.
          calls.sort((a, b) => a.endedAt - b.endedAt || a.key.repeat - b.key.repeat);
          return {
            setId,
            ...agent,
            evalCase,
            result: result ?? unfinishedCase(ids, { inferences, calls, repeats }),
            inferences: inferences.map(owned),
            calls,
          };
        }),
      );
    },
  };
}

/** A watcher is shown the key and the ending of an inference, so these are copied. */
function heldInference({ key: { repeat, ...ids }, inference, startedAt, endedAt }: InferenceRecord): RunInference {
  const own = { ...inference, ending: copyJson(inference.ending) };
  return { key: { ...ids, repeat }, inference: own, startedAt, endedAt };
}

/** Without scoring, nothing has frozen the turns, and a simulated user may still hold them. */
function owned(recorded: RunInference): RunInference {
  return Object.isFrozen(recorded.inference.invocations) ? recorded : copyJson(recorded);
}

const NONE: never[] = [];

/** Most lists have one item: pushing the first onto an empty list would reserve room for sixteen more. */
function added<T>(list: T[], item: T): T[] {
  if (list.length === 0) return [item];
  list.push(item);
  return list;
}
