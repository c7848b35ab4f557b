import { endedBadly, type Verdict } from '@agent-criteria/core';
import { keyText } from '../unit.ts';
import { layout } from './layout.ts';
import { type LinePlace, scanLines } from './line-reader.ts';
import type { InferenceLine, ScoreLine } from './records.ts';

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
  return JSON.stringify([setId, caseId]);
}

/** Where the last inference of each unit stands. */
export function indexInferences(folder: string): Map<string, InferencePlace> {
  const index = new Map<string, InferencePlace>();
  scanLines(layout.inferences(folder), (value, place) => {
    const line = value as InferenceLine;
    if (!isUnitLine(line) || typeof line.inference !== 'object' || line.inference === null) return;
    const { attempt, seen, inference } = line;
    index.set(keyText(line), { place, attempt, seen, bad: endedBadly(inference.ending) });
  });
  return index;
}

/** Where the last scores of each unit, and the last result of each case, stand. */
export function indexScores(folder: string, scoring: number): ScoreIndex {
  const units = new Map<string, ScorePlace>();
  const cases = new Map<string, CasePlace>();
  scanLines(layout.scores(folder, scoring), (value, place) => {
    const line = value as ScoreLine;
    if (!isUnitLine(line) || typeof line.scores !== 'object' || line.scores === null) return;
    const { attempt, unjudged, scores } = line;
    units.set(keyText(line), { place, attempt, unjudged });
    if (scores.case !== undefined) {
      const { attempts, result } = scores.case;
      cases.set(caseText(line.setId, line.caseId), { place, attempts, verdict: result.verdict });
    }
  });
  return { units, cases };
}

/** A line of a file that somebody else has written to is nobody's unit. */
function isUnitLine(line: unknown): line is { setId: string; caseId: string; repeat: number } {
  if (typeof line !== 'object' || line === null) return false;
  const { setId, caseId, repeat } = line as Record<string, unknown>;
  return typeof setId === 'string' && typeof caseId === 'string' && Number.isInteger(repeat);
}
