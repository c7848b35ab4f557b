import type { UnitKey } from '@agent-criteria/core';
import type { Verdict } from '@agent-criteria/core/host';
import type { RunCall } from '@agent-criteria/results';
import type { InferenceLine, ScoreLine } from './records.ts';

// Files of a run may come from anybody. A line that is none of ours is passed over, as one that was torn.

const VERDICTS: Readonly<Record<Verdict, true>> = {
  passed: true,
  failed: true,
  'not-evaluated': true,
  error: true,
  informational: true,
};

export function isInferenceLine(line: unknown): line is InferenceLine {
  if (!isKey(line) || !isCount(line.attempt) || typeof line.seen !== 'string') return false;
  if (!isTime(line.startedAt) || !isTime(line.endedAt)) return false;
  const { inference } = line;
  return (
    isObject(inference) &&
    typeof inference.sessionId === 'string' &&
    isEnding(inference.ending) &&
    isList(inference.invocations, isObject) &&
    isTexts(line.texts)
  );
}

export function isScoreLine(line: unknown): line is ScoreLine {
  if (!isKey(line) || !isCount(line.attempt) || typeof line.unjudged !== 'boolean') return false;
  const { scores } = line;
  return (
    isObject(scores) &&
    typeof scores.sessionId === 'string' &&
    isEnding(scores.ending) &&
    isList(scores.criteria, (one) => isNamed(one) && isList(one.scores, isScore)) &&
    (scores.case === undefined || isCaseLine(scores.case)) &&
    isTexts(line.texts)
  );
}

export function isCall(line: unknown): line is RunCall {
  return isObject(line) && isKey(line.key) && typeof line.request === 'string';
}

function isCaseLine(value: unknown): boolean {
  if (!isObject(value) || !isList(value.attempts, isCount) || !isObject(value.result)) return false;
  const { verdict, criteria, units } = value.result;
  return (
    typeof verdict === 'string' &&
    Object.hasOwn(VERDICTS, verdict) &&
    isList(criteria, (one) => isNamed(one) && isList(one.turns, isObject) && isObject(one.counts)) &&
    isList(units, (one) => isObject(one) && isEnding(one.ending) && isList(one.criteria, isNamed))
  );
}

function isScore(value: unknown): boolean {
  return isObject(value) && ('parts' in value ? isList(value.parts, isScore) : 'value' in value);
}

function isKey(value: unknown): value is UnitKey & Record<string, unknown> {
  if (!isObject(value)) return false;
  return typeof value.setId === 'string' && typeof value.caseId === 'string' && isCount(value.repeat);
}

function isEnding(value: unknown): boolean {
  if (!isObject(value) || typeof value.by !== 'string') return false;
  return value.by !== 'error' || (isObject(value.error) && typeof value.error.message === 'string');
}

function isTexts(value: unknown): boolean {
  return value === undefined || (isObject(value) && Object.values(value).every((text) => typeof text === 'string'));
}

function isNamed(value: unknown): value is Record<string, unknown> {
  return isObject(value) && typeof value.name === 'string';
}

function isList(value: unknown, is: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(is);
}

export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

/** Milliseconds that a date can have. */
export function isTime(value: unknown): boolean {
  return typeof value === 'number' && Math.abs(value) <= 8.64e15;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
