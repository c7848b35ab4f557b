import { endedBadly, stringifyJson, type Verdict } from '@agent-criteria/core/host';
import { keyText } from '../unit.ts';
import { isInferenceLine, isScoreLine } from './check-lines.ts';
import { layout } from './layout.ts';
import { type LinePlace, scanLines } from './line-reader.ts';

export interface InferencePlace {
  readonly place: LinePlace;
  readonly attempt: number;
  /** It ended by error or abort. */
  readonly bad: boolean;
  readonly seen: string;
}

export interface ScorePlace {
  readonly place: LinePlace;
  readonly attempt: number;
  readonly unjudged: boolean;
}

export interface CasePlace {
  readonly place: LinePlace;
  readonly attempts: readonly number[];
  readonly verdict: Verdict;
}

export type InferenceIndex = ReadonlyMap<string, InferencePlace>;

export interface ScoreIndex {
  readonly units: ReadonlyMap<string, ScorePlace>;
  readonly cases: ReadonlyMap<string, CasePlace>;
}

export function caseText(setId: string, caseId: string): string {
  return stringifyJson([setId, caseId]);
}

/** Where the last inference of each unit stands. */
export function indexInferences(folder: string): Map<string, InferencePlace> {
  const index = new Map<string, InferencePlace>();
  scanLines(layout.inferences(folder), (value, place) => {
    if (!isInferenceLine(value)) return;
    const { attempt, seen, inference } = value;
    index.set(keyText(value), { place, attempt, seen, bad: endedBadly(inference.ending) });
  });
  return index;
}

/** Where the last scores of each unit, and the last result of each case, stand. */
export function indexScores(folder: string, scoring: number): ScoreIndex {
  const units = new Map<string, ScorePlace>();
  const cases = new Map<string, CasePlace>();
  scanLines(layout.scores(folder, scoring), (value, place) => {
    if (!isScoreLine(value)) return;
    const { setId, caseId, attempt, unjudged, scores } = value;
    units.set(keyText(value), { place, attempt, unjudged });
    // What the case came to before was not made from these scores.
    if (scores.case === undefined) {
      cases.delete(caseText(setId, caseId));
      return;
    }
    const { attempts, result } = scores.case;
    cases.set(caseText(setId, caseId), { place, attempts, verdict: result.verdict });
  });
  return { units, cases };
}
