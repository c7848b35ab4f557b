import { isObject, type Json, parseJson, stringifyJson } from '@agent-criteria/formats';
import type { Range } from '../contracts/criterion.ts';
import type { Evidence, OverallScore, Score, ScorePart } from '../contracts/score.ts';
import { couldNotJudge } from './could-not-judge.ts';
import { isEvidence } from './is-evidence.ts';

const PART_KINDS: readonly unknown[] = ['rubric', 'sentence', 'step', 'behaviour', 'check'];
/** In practice, parts nest two levels deep. The limit breaks cycles. */
const MAX_DEPTH = 16;
/**
 * The maximum number of parts of one score, far above real scores. It stops parts that contain themselves several
 * times.
 */
export const MAX_PARTS = 10_000;

/** The beginning of the reason of a score with both a result and `missing`. */
const CONTRADICTION = 'the criterion contradicts itself: it returned both';

/** Whether the criterion returned this score, or a part of it, with both a result and `missing`. */
export function contradictsItself(score: Score): boolean {
  if (score.overall?.value === null && score.overall.reason.startsWith(CONTRADICTION)) return true;
  if ('parts' in score) return score.parts.some(contradictsItself);
  return score.value === null && score.reason?.startsWith(CONTRADICTION) === true;
}

/**
 * Converts the return value of a criterion, which is foreign code, into a valid score: plain JSON, with finite numbers
 * in the range. A value that is not a score becomes could-not-judge with a reason; invalid additional fields are
 * replaced or left out.
 */
export function sanitiseScore(returned: unknown, range: Range): Score {
  const budget = { parts: MAX_PARTS };
  const score = sanitise(returned, range, 0, budget);
  if (budget.parts < 0) return couldNotJudge(`the criterion returned more than ${MAX_PARTS} parts`);
  const overall = isObject(returned) ? (returned.overall ?? undefined) : undefined;
  return overall === undefined ? score : { ...score, overall: sanitiseOverall(overall, range) };
}

function sanitiseOverall(returned: unknown, range: Range): OverallScore {
  const { value, missing, reason } = isObject(returned) ? returned : {};
  const why = typeof reason === 'string' && reason !== '' ? reason : undefined;
  const unknown = (because: string): OverallScore => ({ value: null, missing: 'could-not-judge', reason: because });
  const lost = (problem: string): OverallScore => unknown(joinReasons(problem, why));
  const isMissing = missing !== undefined && missing !== null;
  if (value === null) {
    return why !== undefined && isMissing ? unknown(why) : lost('the criterion returned no overall score');
  }
  if (isMissing) return lost(`${CONTRADICTION} the overall score ${show(value)} and missing ${show(missing)}`);
  if (typeof value !== 'number' || !Number.isFinite(value))
    return lost(`the overall score is ${describe(value)}, which is not a number`);
  if (!isInRange(value, range)) return lost(`the overall score ${value} is outside the range ${formatRange(range)}`);
  return { value: value + 0, ...(why === undefined ? {} : { reason: why }) };
}

function sanitise(returned: unknown, range: Range, depth: number, budget: { parts: number }): Score {
  if (budget.parts < 0) return couldNotJudge('too many parts');
  if (!isObject(returned)) {
    const meant = typeof returned === 'number' || typeof returned === 'boolean' ? Number(returned) : 'NUMBER';
    const advice = `return { value: ${meant} }`;
    return couldNotJudge(`the criterion returned ${describe(returned)}, which is not a score: ${advice}`);
  }
  const common = commonFields(returned);
  const { missing, parts, value: own } = returned;
  const hasScore = parts !== undefined || (own !== undefined && own !== null);
  if (hasScore && missing !== undefined && missing !== null) {
    const score = parts === undefined ? `the value ${show(own)}` : 'parts';
    return {
      ...common,
      ...couldNotJudge(joinReasons(`${CONTRADICTION} ${score} and missing ${show(missing)}`, common.reason)),
    };
  }
  if (returned.parts !== undefined) {
    if ('value' in returned && returned.value !== undefined) {
      return { ...common, ...couldNotJudge('the criterion returned both a value and parts') };
    }
    if (!Array.isArray(returned.parts) || returned.parts.length === 0) {
      return { ...common, ...couldNotJudge(joinReasons('the criterion returned no parts', common.reason)) };
    }
    if (depth === MAX_DEPTH)
      return { ...common, ...couldNotJudge(`the criterion nested parts more than ${MAX_DEPTH} deep`) };
    budget.parts -= returned.parts.length;
    if (budget.parts < 0) return couldNotJudge('too many parts');
    return {
      ...common,
      parts: Array.from(returned.parts, (part, index) => sanitisePart(part, index, range, depth + 1, budget)),
    };
  }
  const value = returned.value;
  if (value === null) {
    const shown = adkValueOf(returned, range);
    if (returned.missing === 'not-applicable') return { ...common, value: null, missing: 'not-applicable', ...shown };
    const reason = 'the criterion returned neither a number nor a reason';
    return { reason, ...common, value: null, missing: 'could-not-judge', ...shown };
  }
  if (typeof value !== 'number' || !Number.isFinite(value)) {
    return { ...common, ...couldNotJudge(`the criterion returned ${describe(value)}, which is not a number`) };
  }
  if (!isInRange(value, range)) {
    return { ...common, ...couldNotJudge(`the criterion returned ${value}, outside its range ${formatRange(range)}`) };
  }
  // JSON has no -0.
  return { ...common, value: value + 0, ...adkValueOf(returned, range) };
}

function adkValueOf({ adkValue }: Record<string, unknown>, range: Range): Pick<Score, 'adkValue'> {
  if (adkValue === null) return { adkValue };
  return isInRange(adkValue, range) ? { adkValue: adkValue + 0 } : {};
}

function isInRange(value: unknown, { min, max }: Range): value is number {
  return typeof value === 'number' && value >= min && value <= (max ?? Number.MAX_VALUE);
}

function sanitisePart(
  returned: unknown,
  index: number,
  range: Range,
  depth: number,
  budget: { parts: number },
): ScorePart {
  const score = sanitise(returned, range, depth, budget);
  const part = isObject(returned) ? returned : {};
  return {
    ...score,
    id: typeof part.id === 'string' ? part.id : String(index),
    kind: PART_KINDS.includes(part.kind) ? (part.kind as ScorePart['kind']) : 'step',
    ...(typeof part.text === 'string' ? { text: part.text } : {}),
  };
}

function commonFields(returned: Record<string, unknown>): Pick<Score, 'reason' | 'evidence' | 'warnings'> {
  const evidence = Array.isArray(returned.evidence) ? returned.evidence.flatMap(sanitiseEvidence) : [];
  const warnings = Array.isArray(returned.warnings) ? returned.warnings.filter((item) => typeof item === 'string') : [];
  return {
    ...(typeof returned.reason === 'string' && returned.reason !== '' ? { reason: returned.reason } : {}),
    ...(evidence.length > 0 ? { evidence } : {}),
    ...(warnings.length > 0 ? { warnings } : {}),
  };
}

function sanitiseEvidence(item: unknown): Evidence[] {
  try {
    const copy: unknown = parseJson(stringifyJson(item));
    return [isEvidence(copy) ? copy : { kind: 'json', value: copy as Json }];
  } catch {
    return [{ kind: 'note', text: 'evidence that is not JSON was left out' }];
  }
}

/** Formats a range for people. */
export function formatRange(range: Range): string {
  return range.max === null ? `from ${range.min} up` : `${range.min} to ${range.max}`;
}

function joinReasons(first: string, second: string | undefined): string {
  return second === undefined ? first : `${first}: ${second}`;
}

function show(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value) : describe(value);
}

function describe(value: unknown): string {
  if (typeof value === 'number') return String(value);
  if (value === null || value === undefined) return String(value);
  if (Array.isArray(value)) return 'a list';
  return `a ${typeof value}`;
}
