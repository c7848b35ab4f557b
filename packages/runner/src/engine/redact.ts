import { dirname, resolve } from 'node:path';
import { CriteriaError, type EvalCase, type Inference, type Json, toErrorInfo } from '@agent-criteria/core';
import type { UnitScores } from '@agent-criteria/core/host';
import { parseJson, stringifyJson } from '@agent-criteria/formats';
import { type SecretMask, secretMask } from '@agent-criteria/masking';
import type { CompactCaseResult } from '@agent-criteria/results';
import type { ScoreRecord } from '../journal/journal.ts';
import type { PlannedSet } from '../planned-set.ts';
import { isInference, isScores } from '../run-folder/records.ts';
import type { RecordKind, Redact, RedactionSettings } from '../settings.ts';
import { withShownStacks } from '../shown-stack.ts';

/**
 * How data is changed before it is stored: stacks are written relative to the project, then secrets are masked, then the
 * user's function is applied.
 */
export interface Redaction {
  /** Masks secrets, or `null` to leave them in place. */
  readonly mask: SecretMask | null;
  readonly redact: Redact | undefined;
  /** Folders that the files in stacks are relative to. */
  readonly folders: readonly string[];
}

/**
 * Creates a run's redaction. Text in eval sets that looks like a secret is not masked, but the values of variables
 * always are.
 */
export function redactionOf(
  { maskSecrets = true, environment, alsoMasked = [], redact }: RedactionSettings,
  sets: readonly PlannedSet[],
): Redaction {
  const open = sets.map(({ plan }) => plan.evalSet);
  // Read the environment each time, because an agent may replace `process.env`.
  // Resolved now, because an agent may change the working folder.
  const folders = [
    process.cwd(),
    ...new Set(sets.flatMap(({ file }) => (file === null ? [] : [dirname(resolve(file))]))),
  ];
  const all = () => [environment ?? process.env, ...alsoMasked];
  return { mask: maskSecrets ? secretMask({ environment: all, open }) : null, redact, folders };
}

/** Redacts an inference before it is stored and scored. */
export function redactInference(given: Inference, { mask, redact, folders }: Redaction): Inference {
  const shown = withShownStacks(given, folders);
  const safe = mask === null ? shown : masked(shown, 'inference', mask);
  if (redact === undefined) return safe;
  const inference = redacted(safe, 'inference', redact);
  if (!isInference(inference) || inference.ending.by !== safe.ending.by) {
    throw failed('inference', 'it must return an inference that ended in the same way');
  }
  return inference;
}

/**
 * Masks the secrets in scores before the result of their case is computed.
 *
 * @param isRedacted Whether this process redacted the inference. One from an earlier start may contain secrets.
 * @param areOurs Whether all criteria are our own, which set no variables.
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
 * Applies the user's redaction to masked scores before they are stored. Ids, names and verdicts are restored
 * afterwards, because they link records together.
 */
export function redactScores(record: ScoreRecord, { redact }: Redaction): ScoreRecord {
  if (redact === undefined) return record;
  const { case: completed } = record;
  const written = completed === undefined ? record.scores : { ...record.scores, case: completed };
  const { case: redactedCase, ...scores } = redacted<typeof written & { case?: unknown }>(written, 'scores', redact);
  const ownCase = completed && { of: completed.of, result: withFacts(redactedCase, completed.result) };
  const own = { ...scores, criteria: named(scores.criteria, record.scores.criteria) };
  if (!isScores({ ...own, ...(ownCase && { case: ownCase }) })) {
    throw failed('scores', 'it must return scores');
  }
  return { ...record, scores: own, case: ownCase };
}

function withFacts(redactedCase: unknown, whole: CompactCaseResult): CompactCaseResult {
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

/** Redacts a call's request, answer or error. */
export function redactCall<T>(given: T, { mask, redact }: Redaction): T {
  const value = mask === null ? given : masked(given, 'call', mask);
  return redact === undefined ? value : redacted(value, 'call', redact);
}

/** Redacts a case that is stored with the run. Keeps its id. */
export function redactCase(evalCase: EvalCase, { mask, redact }: Redaction): EvalCase {
  const safe = referenceOf(evalCase, mask);
  return redact === undefined ? safe : { ...redacted(safe, 'case', redact), evalId: evalCase.evalId };
}

/** Masks the values of variables in a case as in its inference, so that criteria compare like with like. */
export function referenceOf(evalCase: EvalCase, mask: SecretMask | null): EvalCase {
  if (mask === null) return evalCase;
  const safe = mask.reference(evalCase);
  return safe === evalCase ? evalCase : { ...safe, evalId: evalCase.evalId };
}

/** Masks the secrets in an agent's event. Returns `undefined` if the event is not JSON. */
export function maskEvent(event: Json, { mask }: Redaction): Json | undefined {
  try {
    return mask === null ? event : mask.json(event);
  } catch {
    // A bad event must not make the agent fail.
    return undefined;
  }
}

/** Masks a value. Throws for a value that cannot be searched, because it might contain a secret. */
function masked<T>(value: T, kind: RecordKind, mask: Pick<SecretMask, 'json'>): T {
  try {
    return mask.json(value);
  } catch (cause) {
    throw failed(kind, toErrorInfo(cause).message, cause);
  }
}

/** Applies the user's redaction. Any failure ends the run, because nothing may be stored unredacted. */
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
