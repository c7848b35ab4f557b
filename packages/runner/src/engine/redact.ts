import { CriteriaError, type EvalCase, type Inference, type Json, toErrorInfo } from '@agent-criteria/core';
import type { UnitScores } from '@agent-criteria/core/host';
import { parseJson, stringifyJson } from '@agent-criteria/formats';
import { type SecretMask, secretMask } from '@agent-criteria/masking';
import type { CompactCaseResult } from '@agent-criteria/results';
import type { ScoreRecord } from '../journal/journal.ts';
import type { PlannedSet } from '../planned-set.ts';
import { isInference, isScores } from '../run-folder/records.ts';
import type { RecordKind, Redact, RedactionSettings } from '../settings.ts';

/** What becomes of everything before it is kept: secrets are masked, and then the user's own function has it. */
export interface Redaction {
  /** `null`: secrets stay. */
  readonly mask: SecretMask | null;
  readonly redact: Redact | undefined;
}

/** How a run redacts. What has the form of a secret in its eval sets is none; the value of a variable is one there, too. */
export function redactionOf(
  { maskSecrets = true, environment, alsoMasked = [], redact }: RedactionSettings,
  sets: readonly PlannedSet[],
): Redaction {
  const open = sets.map(({ plan }) => plan.evalSet);
  // Read each time: an agent may replace `process.env` as a whole.
  const all = () => [environment ?? process.env, ...alsoMasked];
  return { mask: maskSecrets ? secretMask({ environment: all, open }) : null, redact };
}

/** An inference as it is kept, and as it is scored. */
export function redactInference(given: Inference, { mask, redact }: Redaction): Inference {
  const safe = mask === null ? given : masked(given, 'inference', mask);
  if (redact === undefined) return safe;
  const inference = redacted(safe, 'inference', redact);
  if (!isInference(inference) || inference.ending.by !== safe.ending.by) {
    throw failed('inference', 'it must return an inference that ended in the same way');
  }
  return inference;
}

/**
 * Scores without secrets, of which the case's result is made.
 *
 * @param isRedacted The inference went through `redactInference`. One that an earlier start has kept may hold secrets, too.
 * @param areOurs All criteria are our own, which set no variables.
 */
export function maskScores(
  scores: UnitScores,
  { mask }: Redaction,
  { isRedacted, areOurs }: { readonly isRedacted: boolean; readonly areOurs: boolean },
): UnitScores {
  if (mask === null) return scores;
  const { key, sessionId, ending, criteria } = scores;
  if (isRedacted) {
    const safe = masked(criteria, 'scores', areOurs ? { json: mask.derived } : mask);
    return { key, sessionId, ending, criteria: safe };
  }
  return { key, ...masked({ sessionId, ending, criteria }, 'scores', mask) };
}

/**
 * The record as it is kept; its secrets are masked. Ids and names find what belongs together, and a verdict is not
 * text: they stay as they are.
 */
export function redactScores(record: ScoreRecord, { redact }: Redaction): ScoreRecord {
  if (redact === undefined) return record;
  const { case: completed } = record;
  const written = completed === undefined ? record.scores : { ...record.scores, case: completed };
  const { case: redactedCase, ...scores } = redacted<typeof written & { case?: unknown }>(written, 'scores', redact);
  const ownCase = completed && { of: completed.of, result: withWords(redactedCase, completed.result) };
  const own = { ...scores, criteria: named(scores.criteria, record.scores.criteria) };
  if (!isScores({ ...own, ...(ownCase && { case: ownCase }) })) {
    throw failed('scores', 'it must return scores');
  }
  return { ...record, scores: own, case: ownCase };
}

function withWords(redactedCase: unknown, whole: CompactCaseResult): CompactCaseResult {
  const { setId, caseId, verdict } = whole;
  const result = ((redactedCase ?? {}) as { readonly result?: CompactCaseResult }).result as CompactCaseResult;
  return {
    ...result,
    setId,
    caseId,
    verdict,
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
export function redactCall<T>(given: T, { mask, redact }: Redaction): T {
  const value = mask === null ? given : masked(given, 'call', mask);
  return redact === undefined ? value : redacted(value, 'call', redact);
}

/** A case as it is kept beside the run, under its own id. */
export function redactCase(evalCase: EvalCase, { mask, redact }: Redaction): EvalCase {
  const safe = referenceOf(evalCase, mask);
  return redact === undefined ? safe : { ...redacted(safe, 'case', redact), evalId: evalCase.evalId };
}

/** A case as it is judged: where it says the value of a variable, it says what an inference says in its place. */
export function referenceOf(evalCase: EvalCase, mask: SecretMask | null): EvalCase {
  if (mask === null) return evalCase;
  const safe = mask.reference(evalCase);
  return safe === evalCase ? evalCase : { ...safe, evalId: evalCase.evalId };
}

/** What an agent reports, without secrets; `undefined` for what is no JSON. */
export function maskEvent(event: Json, { mask }: Redaction): Json | undefined {
  try {
    return mask === null ? event : mask.json(event);
  } catch {
    // It must not break the agent.
    return undefined;
  }
}

/** A value that cannot be looked through may hold a secret. */
function masked<T>(value: T, kind: RecordKind, mask: Pick<SecretMask, 'json'>): T {
  try {
    return mask.json(value);
  } catch (cause) {
    throw failed(kind, toErrorInfo(cause).message, cause);
  }
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
  const message = `the redaction of ${kind} failed, so nothing was saved: ${why}`;
  return new CriteriaError({ code: 'WRITE_FAILED', message }, { cause });
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`;
}
