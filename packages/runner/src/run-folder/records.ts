import type { Ending, Inference, UnitKey } from '@agent-criteria/core';
import type { CriterionScores, UnitScores, Verdict } from '@agent-criteria/core/host';
import { stringifyJson } from '@agent-criteria/formats';
import { type Check, fits, is, type Schema } from '@agent-criteria/formats/schema';
import type { CompactCaseResult, RunCall } from '@agent-criteria/results';
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

// What is read back may have been written by anybody. A line that is not one of ours is passed over, like a torn one.

const VERDICTS: Readonly<Record<Verdict, true>> = {
  passed: true,
  failed: true,
  'not-evaluated': true,
  error: true,
  informational: true,
};

const verdict: Check = (value) => typeof value === 'string' && Object.hasOwn(VERDICTS, value);

const endedBy = { by: is.text };
const failed = { error: { message: is.text } };
const ending: Check = (value) => fits<{ by: string }>(endedBy, value) && (value.by !== 'error' || fits(failed, value));

const score: Check = (value) => is.object(value) && ('parts' in value ? scoreList(value.parts) : 'value' in value);
const scoreList = is.list(score);

const key = {
  setId: is.text,
  caseId: is.text,
  repeat: is.count,
  variant: is.optional(is.text),
} satisfies Schema<UnitKey>;

const inference: Schema<Inference> = {
  sessionId: is.text,
  ending,
  invocations: is.list(is.object),
  cutOff: is.optional(is.list({ turn: is.count, reason: is.text })),
};

const caseRecord = {
  of: is.optional(is.list(is.count)),
  result: {
    verdict,
    criteria: is.list({ name: is.text, turns: is.list(is.object), counts: is.object }),
    units: is.list({ ending, criteria: is.list({ name: is.text }) }),
  },
} satisfies Schema<CaseLine>;

const scores = {
  sessionId: is.text,
  ending,
  criteria: is.list({ name: is.text, scores: scoreList }),
} satisfies Schema<UnitScores>;

const unitScores = { ...scores, case: is.optional(caseRecord) };

const texts = is.optional(is.map(is.text));

const inferenceLine: Schema<InferenceLine> = {
  ...key,
  attempt: is.count,
  seen: is.text,
  startedAt: is.time,
  endedAt: is.time,
  inference,
  texts,
};

const scoreLine: Schema<ScoreLine> = {
  ...key,
  attempt: is.count,
  ticket: is.optional(is.count),
  unjudged: is.flag,
  scores: { ...scores, case: is.optional({ ...caseRecord, attempts: is.list(is.count) }) },
  texts,
};

const call: Schema<RunCall> = { key, request: is.text };

export function isInferenceLine(line: unknown): line is InferenceLine {
  return fits(inferenceLine, line);
}

export function isInference(value: unknown): value is Inference {
  return fits(inference, value);
}

export function isScoreLine(line: unknown): line is ScoreLine {
  return fits(scoreLine, line);
}

/** The scores of a unit, with what the case came to where they complete one. */
export function isScores(value: unknown): value is Omit<UnitScores, 'key'> {
  return fits(unitScores, value);
}

export function isCall(line: unknown): line is RunCall {
  return fits(call, line);
}

/** Names that keys had in runs of format 1. */
const CRITERION_KEYS: Readonly<Record<string, string>> = { gates: 'decides' };
const CALL_KEYS: Readonly<Record<string, string>> = { by: 'caller', to: 'target' };

/** A criterion of a scoring's plan under today's names, with its keys in the same order. */
export function withTodaysCriterionKeys(criterion: object): object {
  return renamed(criterion, CRITERION_KEYS);
}

/** A line of `calls.jsonl` under today's names: a run that was begun in format 1 may have lines of both. */
export function withTodaysCallKeys(call: object): object {
  return renamed(call, CALL_KEYS);
}

function renamed(value: object, names: Readonly<Record<string, string>>): object {
  if (!Object.keys(names).some((old) => Object.hasOwn(value, old))) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [names[key] ?? key, inner]));
}
