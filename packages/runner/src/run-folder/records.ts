import type { Ending, Inference, UnitKey } from '@agent-criteria/core';
import type { CriterionScores } from '@agent-criteria/core/host';
import { stringifyJson } from '@agent-criteria/formats';
import type { CompactCaseResult } from '@agent-criteria/results';
import type { InferenceRecord, ScoredState, ScoreRecord } from '../journal/journal.ts';
import { type Blobs, joinTexts, LONGEST_TEXT, splitTexts } from './blobs.ts';

/** A line of `inferences.jsonl`. Of several lines of one unit the last counts. */
export interface InferenceLine extends UnitKey {
  /** From 0; counts up when a unit is run again: one less than the ticket. */
  readonly attempt: number;
  /** Hash of what the agent saw of the case. */
  readonly seen: string;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly inference: Inference;
  readonly texts?: Readonly<Record<string, string>>;
}

/** A line of `scores.jsonl`: one unit; the line that completes a case also has what the case came to. */
export interface ScoreLine extends UnitKey {
  /** Of the inference that was scored: scores of an older one count no more. */
  readonly attempt: number;
  /** From 1. Absent in older lines: how many of this unit there are up to this one. */
  readonly ticket?: number;
  /** Whether some score could not be judged, so that scoring again may help. */
  readonly unjudged: boolean;
  readonly scores: {
    readonly sessionId: string;
    readonly ending: Ending;
    readonly criteria: readonly CriterionScores[];
    readonly case?: CaseLine;
  };
  readonly texts?: Readonly<Record<string, string>>;
}

export interface CaseLine {
  /** Of the inferences that the case was judged by, in the order of the repeats. */
  readonly attempts: readonly number[];
  /** The tickets of the scores it was made of. Absent in older lines: those that were the last then. */
  readonly of?: readonly number[];
  readonly result: CompactCaseResult;
}

/** A line: its head as it is, and one value under `name`, whose long texts are kept as blobs. */
export function encodeLine(head: object, name: 'inference' | 'scores', json: string, blobs: Blobs): string {
  const line = (value: string, rest: string) => `${stringifyJson(head).slice(0, -1)},"${name}":${value}${rest}}`;
  if (json.length <= LONGEST_TEXT) return line(json, '');
  const split = splitTexts(json, blobs);
  return line(split.json, split.texts === null ? '' : `,"texts":${stringifyJson(split.texts)}`);
}

export function decodeInference(line: InferenceLine, blobs: Blobs): InferenceRecord {
  const { attempt, seen, startedAt, endedAt } = line;
  const inference = joinTexts(line.inference, line.texts, blobs);
  return { key: keyIn(line), ticket: attempt + 1, seen, startedAt, endedAt, inference };
}

/** @param state What the index says of the line: older lines do not say it themselves. */
export function decodeScores(line: ScoreLine, { ticket, case: ofCase }: ScoredState, blobs: Blobs): ScoreRecord {
  const { case: completed, ...scores } = joinTexts(line.scores, line.texts, blobs);
  const record = { key: keyIn(line), ticket, of: line.attempt + 1, scores };
  if (completed === undefined || ofCase === null) return record;
  return { ...record, case: { of: ofCase.of, result: completed.result } };
}

/** The key that a line has. */
export function keyIn({ setId, caseId, repeat, variant }: UnitKey): UnitKey {
  return variant === undefined ? { setId, caseId, repeat } : { setId, caseId, repeat, variant };
}
