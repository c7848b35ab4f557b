import type { Inference, UnitKey } from '@agent-criteria/core';
import type { UnitScores, Verdict } from '@agent-criteria/core/host';
import { type Check, fits, is, type Schema } from '@agent-criteria/formats/schema';
import type { RunCall } from '@agent-criteria/results';
import type { CaseLine, InferenceLine, ScoreLine } from './run-folder/records.ts';

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
