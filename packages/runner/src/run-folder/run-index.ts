import type { UnitKey } from '@agent-criteria/core';
import { endedInError } from '@agent-criteria/core/host';
import type { CompactCaseResult } from '@agent-criteria/results';
import { isInferenceLine, isScoreLine } from '../check-records.ts';
import type { InferredState, ScoredState, UnitState } from '../journal/journal.ts';
import { caseText, keyText } from '../unit.ts';
import { layout } from './layout.ts';
import { type LinePlace, scanLines } from './line-reader.ts';
import { keyIn, type ScoreLine } from './records.ts';

/** A state, and the line that it was read from. */
export type Placed<State> = State & { readonly key: UnitKey; readonly place: LinePlace };

/** Where what counts of each unit stands, by the text of its key. */
export interface RunIndex {
  readonly inferences: Map<string, Placed<InferredState>>;
  readonly scores: Map<string, Placed<ScoredState>>;
}

/** Whether the result that a case has in a line is to be believed. */
export type Believes = (key: UnitKey, result: CompactCaseResult) => boolean;

/** Reads the heads of all lines. @param scoring `null`: inferences only. @param believes Default: every result is. */
export function indexRun(folder: string, scoring: number | null, believes?: Believes): RunIndex {
  return {
    inferences: indexInferences(folder),
    scores: scoring === null ? new Map() : indexScores(folder, scoring, believes),
  };
}

/** What there is of every unit, in the order of the inferences; scores of lost inferences last. */
export function* unitStates({ inferences, scores }: RunIndex): Generator<UnitState> {
  for (const [text, { key, place: _, ...inferred }] of inferences) {
    const scored = withoutPlace(scores.get(text));
    yield { key, highest: Math.max(inferred.ticket, scored?.of ?? 0), inferred, scored };
  }
  for (const [text, placed] of scores) {
    if (inferences.has(text)) continue;
    yield { key: placed.key, highest: placed.of, inferred: null, scored: withoutPlace(placed) };
  }
}

function withoutPlace(placed: Placed<ScoredState> | undefined): ScoredState | null {
  if (placed === undefined) return null;
  const { key: _key, place: _place, ...scored } = placed;
  return scored;
}

function indexInferences(folder: string): RunIndex['inferences'] {
  const index: RunIndex['inferences'] = new Map();
  scanLines(layout.inferences(folder), (value, place) => {
    if (!isInferenceLine(value)) return;
    const { attempt, seen, inference } = value;
    const key = keyIn(value);
    index.set(keyText(key), { key, place, ticket: attempt + 1, seen, failed: endedInError(inference.ending) });
  });
  return index;
}

/** Where the last scores of each unit stand. */
export function indexScores(folder: string, scoring: number, believes: Believes = () => true): RunIndex['scores'] {
  const index: RunIndex['scores'] = new Map();
  /** Of each case, the last scores of its repeats: older lines do not say which a result was made of. */
  const latest = new Map<string, (ScoredState | undefined)[]>();
  scanLines(layout.scores(folder, scoring), (value, place) => {
    if (!isScoreLine(value)) return;
    const key = keyIn(value);
    const text = keyText(key);
    const ticket = value.ticket ?? (index.get(text)?.ticket ?? 0) + 1;
    const state = { key, place, ticket, of: value.attempt + 1, unjudged: value.unjudged, case: null };
    const ofCase = latest.get(caseText(key)) ?? [];
    ofCase[key.repeat] = state;
    latest.set(caseText(key), ofCase);
    const result = value.scores.case?.result;
    const isBelieved = result !== undefined && believes(key, result);
    index.set(text, { ...state, case: isBelieved ? completedCase(value, ofCase) : null });
  });
  return index;
}

function completedCase({ scores }: ScoreLine, latest: readonly (ScoredState | undefined)[]): ScoredState['case'] {
  if (scores.case === undefined) return null;
  const { attempts, of, result } = scores.case;
  if (of !== undefined) return { of, verdict: result.verdict };
  const tickets = attempts.map((attempt, repeat) => {
    const own = latest[repeat];
    return own?.of === attempt + 1 ? own.ticket : 0;
  });
  return { of: tickets, verdict: result.verdict };
}
