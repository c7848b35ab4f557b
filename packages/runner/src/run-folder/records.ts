import type { Ending, Inference, UnitKey } from '@agent-criteria/core';
import type { CriterionScores, UnitScores, Verdict } from '@agent-criteria/core/host';
import { stringifyJson } from '@agent-criteria/formats';
import { type Check, fits, is, type Schema } from '@agent-criteria/formats/schema';
import type { CompactCaseResult, RunCall } from '@agent-criteria/results';
import type { InferenceRecord, ScoredState, ScoreRecord } from '../journal/journal.ts';
import { type Blobs, joinTexts, LONGEST_TEXT, splitTexts } from './blobs.ts';

/** A line of `inferences.jsonl`. The last line for a unit is the current one. */
export interface InferenceLine extends UnitKey {
  /** The zero-based number of the attempt, which is one less than the ticket. */
  readonly attempt: number;
  /** The hash of the agent's input. */
  readonly seen: string;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly inference: Inference;
  readonly texts?: Readonly<Record<string, string>>;
}

/** A line of `scores.jsonl`: the scores of one unit. The line that completes a case also contains the case result. */
export interface ScoreLine extends UnitKey {
  /** The attempt whose inference was scored. Scores of an earlier attempt no longer count. */
  readonly attempt: number;
  /** Starts at 1. Lines from older versions lack it, so the number of lines for this unit so far is used instead. */
  readonly ticket?: number;
  /** Whether any score could not be judged, so that scoring again may help. */
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
  /** The attempts whose inferences were judged, in repeat order. */
  readonly attempts: readonly number[];
  /**
   * The tickets of the scores behind the result. Lines from older versions lack them, so the result is assumed to be
   * based on the latest scores at that point.
   */
  readonly of?: readonly number[];
  readonly result: CompactCaseResult;
}

/** Encodes a line: the fields of its head, and a value under `name` whose long strings are stored as blobs. */
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

/** Decodes a line. @param state The state from the index, which supplies what lines from older versions lack. */
export function decodeScores(line: ScoreLine, { ticket, case: ofCase }: ScoredState, blobs: Blobs): ScoreRecord {
  const { case: completed, ...scores } = joinTexts(line.scores, line.texts, blobs);
  const record = { key: keyIn(line), ticket, of: line.attempt + 1, scores };
  if (completed === undefined || ofCase === null) return record;
  return { ...record, case: { of: ofCase.of, result: completed.result } };
}

/** Returns the unit key of a line. */
export function keyIn({ setId, caseId, repeat, variant }: UnitKey): UnitKey {
  return variant === undefined ? { setId, caseId, repeat } : { setId, caseId, repeat, variant };
}

// Files may have been tampered with. Lines of any other shape are skipped, as incomplete lines are.

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

/** Whether a value contains the scores of a unit, with the case result if they complete the case. */
export function isScores(value: unknown): value is Omit<UnitScores, 'key'> {
  return fits(unitScores, value);
}

export function isCall(line: unknown): line is RunCall {
  return fits(call, line);
}

/** Keys that had different names in format 1. */
const CRITERION_KEYS: Readonly<Record<string, string>> = { gates: 'decides' };
const CALL_KEYS: Readonly<Record<string, string>> = { by: 'caller', to: 'target' };

/** Renames the keys of a criterion in a format 1 scoring plan, keeping their order. */
export function withCurrentCriterionKeys(criterion: object): object {
  return renamed(criterion, CRITERION_KEYS);
}

/**
 * Renames the keys of a format 1 line of `calls.jsonl`. A run that was started in format 1 may contain lines of both
 * formats.
 */
export function withCurrentCallKeys(call: object): object {
  return renamed(call, CALL_KEYS);
}

function renamed(value: object, names: Readonly<Record<string, string>>): object {
  if (!Object.keys(names).some((old) => Object.hasOwn(value, old))) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [names[key] ?? key, inner]));
}
