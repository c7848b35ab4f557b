import type { Inference, UnitKey } from '@agent-criteria/core';
import type { UnitScores, Verdict } from '@agent-criteria/core/host';
import type { RunCall } from '@agent-criteria/results';
import type { InferenceLine, ScoreLine } from './run-folder/records.ts';

// What is read back may have been written by anybody. A line that is not one of ours is passed over, like a torn one.

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
  return isInference(line.inference) && isTexts(line.texts);
}

export function isInference(value: unknown): value is Inference {
  return (
    isObject(value) &&
    typeof value.sessionId === 'string' &&
    isEnding(value.ending) &&
    isList(value.invocations, isObject)
  );
}

export function isScoreLine(line: unknown): line is ScoreLine {
  if (!isKey(line) || !isCount(line.attempt) || typeof line.unjudged !== 'boolean') return false;
  if (line.ticket !== undefined && !isCount(line.ticket)) return false;
  const { scores } = line;
  if (!isScores(scores) || !isTexts(line.texts)) return false;
  const completed = 'case' in scores ? scores.case : undefined;
  return completed === undefined || (isObject(completed) && isList(completed.attempts, isCount));
}

/** The scores of a unit, with what the case came to where they complete one. */
export function isScores(value: unknown): value is Omit<UnitScores, 'key'> {
  return (
    isObject(value) &&
    typeof value.sessionId === 'string' &&
    isEnding(value.ending) &&
    isList(value.criteria, (one) => isNamed(one) && isList(one.scores, isScore)) &&
    (value.case === undefined || isCaseRecord(value.case))
  );
}

export function isCall(line: unknown): line is RunCall {
  return isObject(line) && isKey(line.key) && typeof line.request === 'string';
}

function isCaseRecord(value: unknown): boolean {
  if (!isObject(value) || !isObject(value.result)) return false;
  if (value.of !== undefined && !isList(value.of, isCount)) return false;
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
  const { setId, caseId, repeat, variant } = value;
  const isVariant = variant === undefined || typeof variant === 'string';
  return typeof setId === 'string' && typeof caseId === 'string' && isCount(repeat) && isVariant;
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
