import type { UnitKey } from '@agent-criteria/core';
import { endedInError } from '@agent-criteria/core/host';
import type { CompactCaseResult } from '@agent-criteria/results';
import type { InferredState, ScoredState, UnitState } from '../journal/journal.ts';
import { caseText, keyText } from '../unit-key.ts';
import { layout } from './layout.ts';
import { type LinePlace, scanLines } from './line-reader.ts';
import { isInferenceLine, isScoreLine, keyIn, type ScoreLine } from './records.ts';

/** A state, and the line that it was read from. */
export type Placed<State> = State & { readonly key: UnitKey; readonly place: LinePlace };

/** Where what counts of each unit stands, by the text of its key. */
export interface RunIndex {
  readonly inferences: ReadonlyMap<string, Placed<InferredState>>;
  readonly scores: ReadonlyMap<string, Placed<ScoredState>>;
}

/** Where the records of a file are. What is written to it is read when it is next asked: most runs only write. */
export interface FileIndex<State> {
  all(): ReadonlyMap<string, Placed<State>>;
  /** A line was written. */
  grew(): void;
}

export function inferenceIndex(folder: string): FileIndex<InferredState> {
  const index = new Map<string, Placed<InferredState>>();
  return fileIndex(layout.inferences(folder), index, inferenceVisitor(index));
}

export function scoreIndex(folder: string, scoring: number, believes: Believes = () => true): FileIndex<ScoredState> {
  const index = new Map<string, Placed<ScoredState>>();
  return fileIndex(layout.scores(folder, scoring), index, scoreVisitor(index, believes));
}

type LineVisitor = (value: unknown, place: LinePlace) => void;

function fileIndex<State>(
  file: string,
  index: ReadonlyMap<string, Placed<State>>,
  visit: LineVisitor,
): FileIndex<State> {
  let isComplete = false;
  let end = 0;
  return {
    all() {
      if (!isComplete) {
        const next: LineVisitor = (value, place) => {
          end = place.offset + place.length + 1;
          visit(value, place);
        };
        scanLines(file, next, end);
      }
      isComplete = true;
      return index;
    },
    grew() {
      isComplete = false;
    },
  };
}

/** Whether the result that a case has in a line is to be believed. */
export type Believes = (key: UnitKey, result: CompactCaseResult) => boolean;

/** Reads the heads of all lines. @param scoring `null`: inferences only. @param believes Default: every result is. */
export function indexRun(folder: string, scoring: number | null, believes?: Believes): RunIndex {
  return {
    inferences: inferenceIndex(folder).all(),
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

function inferenceVisitor(index: Map<string, Placed<InferredState>>): LineVisitor {
  return (value, place) => {
    if (!isInferenceLine(value)) return;
    const { attempt, seen, inference } = value;
    const key = keyIn(value);
    index.set(keyText(key), { key, place, ticket: attempt + 1, seen, failed: endedInError(inference.ending) });
  };
}

/** Where the last scores of each unit stand. */
export function indexScores(folder: string, scoring: number, believes?: Believes): RunIndex['scores'] {
  return scoreIndex(folder, scoring, believes).all();
}

function scoreVisitor(index: Map<string, Placed<ScoredState>>, believes: Believes): LineVisitor {
  /** Of each case, the last scores of its repeats: older lines do not say which a result was made of. */
  const latest = new Map<string, (ScoredState | undefined)[]>();
  return (value, place) => {
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
  };
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
