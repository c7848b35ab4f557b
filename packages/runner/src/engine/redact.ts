import { CriteriaError, type EvalCase, type Json, toErrorInfo } from '@agent-criteria/core';
import { parseJson, stringifyJson } from '@agent-criteria/core/host';
import type { BareCaseResult } from '@agent-criteria/results';
import { isInference, isScores } from '../check-records.ts';
import type { InferenceRecord, ScoreRecord } from '../journal/journal.ts';

/** Changes what is kept before it is written: names, secrets. Gives JSON of the same shape. */
export type Redact = (value: Json, kind: RecordKind) => Json;
export type RecordKind = 'case' | 'inference' | 'scores' | 'call';

/** The record as it is kept, and as it is scored. */
export function redactInference(record: InferenceRecord, redact: Redact | undefined): InferenceRecord {
  if (redact === undefined) return record;
  const inference = redacted(record.inference, 'inference', redact);
  if (!isInference(inference) || inference.ending.by !== record.inference.ending.by) {
    throw failed('inference', 'it gave something else than an inference that ended in the same way');
  }
  return { ...record, inference };
}

/** The record as it is kept. Ids and names find what belongs together, and a verdict is not text: they stay as they are. */
export function redactScores(record: ScoreRecord, redact: Redact | undefined): ScoreRecord {
  if (redact === undefined) return record;
  const { case: completed } = record;
  const written = completed === undefined ? record.scores : { ...record.scores, case: completed };
  const { case: redactedCase, ...scores } = redacted<typeof written & { case?: unknown }>(written, 'scores', redact);
  const ownCase = completed && { of: completed.of, result: withWords(redactedCase, completed.result) };
  const own = { ...scores, criteria: named(scores.criteria, record.scores.criteria) };
  if (!isScores({ ...own, ...(ownCase && { case: ownCase }) })) {
    throw failed('scores', 'it gave something else than scores');
  }
  return { ...record, scores: own, case: ownCase };
}

function withWords(redactedCase: unknown, whole: BareCaseResult): BareCaseResult {
  const { setId, caseId, verdict } = whole;
  const result = ((redactedCase ?? {}) as { readonly result?: BareCaseResult }).result as BareCaseResult;
  return {
    ...result,
    ...{ setId, caseId, verdict },
    criteria: judged(result?.criteria, whole.criteria),
    units: whole.units.map((unit, index) => ({
      ...(result?.units?.[index] as typeof unit),
      verdict: unit.verdict,
      criteria: judged(result?.units?.[index]?.criteria, unit.criteria),
    })),
  };
}

type Named = { readonly name: string };
type Judged = Named & { readonly verdict: unknown };

function named<One extends Named>(redactedList: readonly One[] | undefined, whole: readonly One[]): One[] {
  return whole.map((one, index) => ({ ...(redactedList?.[index] as One), name: one.name }));
}

function judged<One extends Judged>(redactedList: readonly One[] | undefined, whole: readonly One[]): One[] {
  return named(redactedList, whole).map((one, index) => ({ ...one, verdict: (whole[index] as One).verdict }));
}

/** What was asked or answered in a call, or what went wrong there. */
export function redactCall<T>(value: T, redact: Redact | undefined): T {
  return redact === undefined ? value : redacted(value, 'call', redact);
}

/** A case as it is kept beside the run, under its own id. */
export function redactCase(evalCase: EvalCase, redact: Redact | undefined): EvalCase {
  return redact === undefined ? evalCase : { ...redacted(evalCase, 'case', redact), evalId: evalCase.evalId };
}

/** Whatever goes wrong in a redaction must end the run: nothing is kept that was not redacted. */
function redacted<T>(value: T, kind: RecordKind, redact: Redact): T {
  try {
    const result = parseJson(stringifyJson(redact(parseJson(stringifyJson(value)), kind)));
    if (kindOf(result) !== kindOf(value)) throw new Error(`it made ${kindOf(result)} of ${kindOf(value)}`);
    return result;
  } catch (cause) {
    throw failed(kind, toErrorInfo(cause).message, cause);
  }
}

function failed(kind: RecordKind, why: string, cause?: unknown): CriteriaError {
  const message = `the redaction of ${kind} failed, so nothing was written: ${why}`;
  return new CriteriaError({ code: 'WRITE_FAILED', message }, { cause });
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`;
}
