import type { UnitKey } from '@agent-criteria/core';
import { endedInError } from '@agent-criteria/core/host';
import type { CompactCaseResult } from '@agent-criteria/results';
import type { InferredState, ScoredState, UnitState } from '../journal/journal.ts';
import { caseText, keyText } from '../unit-key.ts';
import { layout } from './layout.ts';
import { type LinePlace, scanLines } from './line-reader.ts';
import { isInferenceLine, isScoreLine, keyIn, type ScoreLine } from './records.ts';

/** A state, with the position of its line. */
export type Placed<State> = State & { readonly key: UnitKey; readonly place: LinePlace };

/** The current records of each unit, by `keyText` of the unit's key. */
export interface RunIndex {
  readonly inferences: ReadonlyMap<string, Placed<InferredState>>;
  readonly scores: ReadonlyMap<string, Placed<ScoredState>>;
}

/** Creates an index of a run's inferences. */
export function inferenceIndex(folder: string) {
  const index = new Map<string, Placed<InferredState>>();
  return fileIndex(layout.inferences(folder), index, inferenceVisitor(index));
}

/** Creates an index of a scoring pass's scores. @param believes Default: treats every result as valid. */
export function scoreIndex(folder: string, scoring: number, believes: Believes = () => true) {
  const index = new Map<string, Placed<ScoredState>>();
  return fileIndex(layout.scores(folder, scoring), index, scoreVisitor(index, believes));
}

type LineVisitor = (value: unknown, place: LinePlace) => void;

/**
 * Creates an index of a file of lines. New lines are only read when the index is used, because most runs only write.
 */
function fileIndex<State>(file: string, index: ReadonlyMap<string, Placed<State>>, visit: LineVisitor) {
  let isComplete = false;
  let end = 0;
  return {
    all(): ReadonlyMap<string, Placed<State>> {
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
    /** Notes that a line was written. */
    grew(): void {
      isComplete = false;
    },
  };
}

/** Whether a case result found in a line is valid. */
export type Believes = (key: UnitKey, result: CompactCaseResult) => boolean;

/**
 * Indexes a run.
 * @param scoring `null` to index only inferences.
 * @param believes Default: treats every result as valid.
 */
export function indexRun(folder: string, scoring: number | null, believes?: Believes): RunIndex {
  return {
    inferences: inferenceIndex(folder).all(),
    scores: scoring === null ? new Map() : indexScores(folder, scoring, believes),
  };
}

/** Yields the state of every unit, in the order of the inferences, followed by scores whose inferences were lost. */
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

/** Indexes the latest scores of each unit. */
export function indexScores(folder: string, scoring: number, believes?: Believes): RunIndex['scores'] {
  return scoreIndex(folder, scoring, believes).all();
}

function scoreVisitor(index: Map<string, Placed<ScoredState>>, believes: Believes): LineVisitor {
  /**
   * The latest scores of the repeats, by case, because lines from older versions do not say which scores a result is
   * based on.
   */
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
