import { CriteriaError, type EvalCase, type Range, type Score, type UnitKey } from '@agent-criteria/core';
import { type CaseResult, type Plan, summariseCase, type UnitScores } from '@agent-criteria/core/host';
import { stringifyJson } from '@agent-criteria/formats';
import type { CompactCaseResult } from '@agent-criteria/results';
import { caseStatus } from '../journal/case-status.ts';
import type { Journal, ScoreRecord, UnitState } from '../journal/journal.ts';
import type { AutoRepeats } from '../settings.ts';
import { caseText, keyText } from '../unit-key.ts';
import type { Mismatch } from './plan-case.ts';
import { type CasesToRun, casesOf } from './work.ts';
import { pauses } from './yield-to-event-loop.ts';

/** Finds finished cases whose stored result disagrees with their stored scores. Returns them by case key. */
export async function recheckCases(
  cases: CasesToRun,
  journal: Journal,
  states: ReadonlyMap<string, UnitState>,
  signal: AbortSignal,
): Promise<Map<string, Mismatch>> {
  const mismatches = new Map<string, Mismatch>();
  // A new run has stored nothing yet.
  if (states.size === 0) return mismatches;
  const { auto } = cases;
  const pause = pauses();
  for (const { set, evalCase, ids, repeats } of casesOf(cases)) {
    if (signal.aborted) return mismatches;
    const all = repeats.map((repeat): UnitKey => ({ ...ids, repeat }));
    const known = all.map((key) => states.get(keyText(key)));
    const { completedBy, units } = caseStatus(known, null, auto !== undefined);
    if (completedBy === null) continue;
    const keys = all.slice(0, units.length);
    const records: (ScoreRecord | null)[] = [];
    for (const key of keys) records.push(await readIfIntact(() => journal.scores(key)));
    const enough = keys.length < all.length ? auto?.enough : undefined;
    const { variant } = ids;
    const found = mismatchIn({ plan: set.plan, evalCase, variant, records, completedBy, enough });
    if (found !== null) mismatches.set(caseText(ids), found);
    await pause();
  }
  return mismatches;
}

interface Recheck {
  readonly plan: Plan;
  readonly evalCase: EvalCase;
  readonly variant: string | undefined;
  readonly records: readonly (ScoreRecord | null)[];
  readonly completedBy: number;
  /** Decides whether a case that stopped early had run enough times. */
  readonly enough: AutoRepeats['enough'] | undefined;
}

function mismatchIn({ plan, evalCase, variant, records, completedBy, enough }: Recheck): Mismatch | null {
  const ofVariant = variant === undefined ? '' : ` (${variant})`;
  const what = `the case "${evalCase.evalId}" of "${plan.evalSet.evalSetId}"${ofVariant}`;
  const mismatch = (place: Mismatch['in'], message: string): Mismatch => ({
    in: place,
    problem: { code: 'RUN_CHANGED', message },
  });
  const stored = records[completedBy]?.case?.result;
  const known = records.filter((record) => record !== null);
  if (stored === undefined || known.length < records.length) {
    return mismatch('scores', `saved scores of ${what} can no longer be read; the case is scored again`);
  }
  const units = known.map(({ key, scores }): UnitScores => ({ key, ...scores }));
  const now = arePossible(plan, units) ? resultOf(plan, evalCase, units) : null;
  if (now === null) {
    return mismatch(
      'scores',
      `scores of ${what} have changed since they were saved and are no longer valid; the case is scored again`,
    );
  }
  if (enough?.(now.units.map(({ verdict }) => verdict)) === false) {
    // The case may also have been scored again, with criteria that leave it undecided.
    const stopped = `${what} stopped after ${now.units.length} repeats, but its saved scores do not decide it`;
    return mismatch('result', `${stopped}: it goes on`);
  }
  if (comparable(now) === comparable(stored)) return null;
  const difference = differenceBetween(stored, now);
  return mismatch('result', `the result of ${what} has changed since it was saved: ${difference}; the scores decide`);
}

/** Computes a case's result from its scores. Returns `null` if they are unusable. */
function resultOf(plan: Plan, evalCase: EvalCase, units: readonly UnitScores[]): CaseResult | null {
  try {
    return summariseCase(plan, evalCase, units);
  } catch {
    return null;
  }
}

function arePossible(plan: Plan, units: readonly UnitScores[]): boolean {
  const ranges = new Map(plan.criteria.map(({ name, criterion }) => [name, criterion.range]));
  return units.every(({ criteria }) =>
    criteria.every(({ name, scores }) => {
      const range = ranges.get(name);
      return range === undefined || scores.every((score) => isPossible(score, range));
    }),
  );
}

function isPossible(score: Score, range: Range): boolean {
  if ('parts' in score) return score.parts.every((part) => isPossible(part, range));
  if (score.value === null) return typeof score.missing === 'string';
  return typeof score.value === 'number' && score.value >= range.min && score.value <= (range.max ?? Infinity);
}

/** Extracts the facts of a result that redaction cannot have changed. */
function comparable({ verdict, criteria, units }: CaseResult | CompactCaseResult): string {
  const facts = (all: readonly { readonly name: string; readonly verdict: string; readonly score: number | null }[]) =>
    all.map((one) => [one.name, one.verdict, one.score]);
  return stringifyJson([
    verdict,
    facts(criteria),
    units.map((unit) => [unit.repeat, unit.verdict, facts(unit.criteria)]),
  ]);
}

function differenceBetween(stored: CompactCaseResult, now: CaseResult): string {
  if (stored.verdict !== now.verdict) return `it was saved as ${stored.verdict}, but its scores make it ${now.verdict}`;
  const other = now.criteria.find((criterion, index) => {
    const before = stored.criteria[index];
    return before?.name !== criterion.name || before.verdict !== criterion.verdict || before.score !== criterion.score;
  });
  if (other === undefined) return 'the saved verdicts of its repeats do not match their scores';
  const before = stored.criteria.find(({ name }) => name === other.name);
  const was = before === undefined ? 'nothing' : `${textOf(before.verdict)} (${textOf(before.score)})`;
  return `${other.name} was saved as ${was}, but its scores make it ${other.verdict} (${other.score})`;
}

/** Formats a criterion's saved verdict or score. Only its name was checked on reading, so the value can be any JSON. */
function textOf(saved: unknown): string {
  return typeof saved === 'string' ? saved : String(stringifyJson(saved));
}

const UNREADABLE: ReadonlySet<string> = new Set(['FILE_NOT_FOUND', 'FILE_UNREADABLE']);

/** Reads a stored record. Returns `null` if it is damaged or missing, so that its work is repeated. */
export async function readIfIntact<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    if (CriteriaError.is(error) && UNREADABLE.has(error.code)) return null;
    throw error;
  }
}
