import { type AdkStatus, CriteriaError, type EvalCase } from '@agent-criteria/formats';
import { historyLength } from '@agent-criteria/formats/parse';
import type { Score } from '../contracts/score.ts';
import type { Ending } from '../contracts/transcript.ts';
import type { Plan, PlannedCriterion } from '../resolve/plan.ts';
import { adkScore, adkView, type Bounds, caseBounds, countScores, type ScoreCounts, scoreBounds } from './bounds.ts';
import { couldNotJudge } from './could-not-judge.ts';
import { comparesWithNothing, EXPECTS_NOTHING } from './expects-nothing.ts';
import { formatScore, formatShare } from './format-number.ts';
import { overallScore } from './overall-score.ts';
import { formatRange } from './sanitise-score.ts';
import { endedInError, type UnitScores } from './score-unit.ts';
import {
  type CriterionVerdict,
  caseVerdict,
  covers,
  criterionVerdict,
  exitCode,
  meetsThreshold,
  type Verdict,
} from './verdict.ts';

/** The result of a case: its verdict, the reason, and the results of its criteria and repeats. Plain JSON. */
export interface CaseResult {
  readonly setId: string;
  readonly caseId: string;
  /** One agent or model among several in a run; absent if there is only one. */
  readonly variant?: string | undefined;
  readonly verdict: Verdict;
  /** One sentence; absent if the case passed. */
  readonly reason?: string | undefined;
  /** Whether the deciding criteria had nothing to compare with, so that the case is not evaluated. Default `false`. */
  readonly expectsNothing?: boolean | undefined;
  /** In the order of the plan; empty if every inference ended in an error or abort. */
  readonly criteria: readonly CriterionResult[];
  /** One for each repeat. */
  readonly units: readonly UnitResult[];
}

export interface CriterionResult {
  readonly name: string;
  readonly verdict: CriterionVerdict;
  /** The aggregate of what was scored, or in compat mode the number that ADK shows; `null` if there is none. */
  readonly score: number | null;
  /** The threshold, or `null` for a criterion that only measures. */
  readonly threshold: number | null;
  /** The share that was scored, from 0 to 1, or `null` if nothing was applicable. Show it next to the score. */
  readonly coverage: number | null;
  /** The number of turns (or conversations) that were scored, could not be judged, or were not applicable. */
  readonly counts: ScoreCounts;
  /** The mean of the turns, if `score` is the criterion's own score for the whole conversation; absent otherwise. */
  readonly meanOfTurns?: number | null | undefined;
  /** The reason for the verdict; absent if it passed with everything scored. */
  readonly reason?: string | undefined;
  /** The turns of all repeats, in order. */
  readonly turns: readonly TurnResult[];
  readonly warnings: readonly string[];
  /** ADK's own status for this metric. Only in compat mode. */
  readonly adkStatus?: AdkStatus | undefined;
}

export interface TurnResult {
  /** From 0. */
  readonly repeat: number;
  /** From 0; `null` for the score of a whole conversation. */
  readonly turn: number | null;
  /** The score's number, or the exact mean of its scored parts, or `null` if it has neither. */
  readonly value: number | null;
  /**
   * Whether this turn alone reaches the threshold, or `null` without a number or a threshold. Verdicts do not use it.
   */
  readonly reached: boolean | null;
  readonly score: Score;
}

export interface UnitResult {
  /** From 0. */
  readonly repeat: number;
  readonly sessionId: string;
  readonly ending: Ending;
  /** The verdict of this repeat alone. The verdict of the case does not use it. */
  readonly verdict: Verdict;
  /** The results of this repeat alone; empty if it ended in an error or abort. */
  readonly criteria: readonly UnitCriterion[];
}

/** The result of a criterion for one repeat. */
export interface UnitCriterion {
  readonly name: string;
  readonly verdict: CriterionVerdict;
  /** The aggregate of what was scored, or in compat mode the number that ADK shows; `null` if there is none. */
  readonly score: number | null;
}

/** The result of a run, derived from its cases. Plain JSON. */
export interface Summary {
  /**
   * The first of these that any case has: failed, error, not evaluated, passed, informational. Without cases: not
   * evaluated.
   */
  readonly verdict: Verdict;
  /** The number of cases. */
  readonly total: number;
  readonly verdicts: Readonly<Record<Verdict, number>>;
  /** Whether there is at least one case and all cases are informational. */
  readonly nothingJudged: boolean;
  /** The result of `exitCode` for the verdicts. */
  readonly exitCode: 0 | 1 | 3;
}

/**
 * Derives the result of a case from the scores of all its repeats.
 *
 * @throws CriteriaError USAGE if the scores belong to another case or to several variants, or if a repeat occurs twice.
 */
export function summariseCase(plan: Plan, evalCase: EvalCase, units: readonly UnitScores[]): CaseResult {
  checkUnits(plan, evalCase, units);
  const scored = units.filter((unit) => !endedInError(unit.ending));
  const errored = scored.length < units.length || units.length === 0;
  const criteria =
    scored.length === 0 ? [] : plan.criteria.map((planned) => summariseCriterion(planned, plan, evalCase, scored));
  const { verdict, hasNothing } = verdictOf(plan, evalCase, errored, criteria);
  const reason = hasNothing ? EXPECTS_NOTHING : caseReason(verdict, criteria, units);
  const variant = units[0]?.key.variant;
  return {
    setId: plan.evalSet.evalSetId,
    caseId: evalCase.evalId,
    ...(variant !== undefined && { variant }),
    verdict,
    reason,
    ...(hasNothing && { expectsNothing: true }),
    criteria,
    units: units.map((unit) => {
      const alone = units.length === 1 ? criteria : summariseAlone(plan, evalCase, unit);
      return {
        repeat: unit.key.repeat,
        sessionId: unit.sessionId,
        ending: unit.ending,
        verdict: units.length === 1 ? verdict : verdictOf(plan, evalCase, endedInError(unit.ending), alone).verdict,
        criteria: alone.map(({ name, verdict: own, score }) => ({ name, verdict: own, score })),
      };
    }),
  };
}

function summariseAlone(plan: Plan, evalCase: EvalCase, unit: UnitScores): readonly CriterionResult[] {
  if (endedInError(unit.ending)) return [];
  return plan.criteria.map((planned) => summariseCriterion(planned, plan, evalCase, [unit]));
}

/**
 * Combines the verdicts of all criteria. The result is not-evaluated if all applicable criteria had nothing to compare
 * with.
 */
function verdictOf(
  plan: Plan,
  evalCase: EvalCase,
  errored: boolean,
  criteria: readonly CriterionResult[],
): { readonly verdict: Verdict; readonly hasNothing: boolean } {
  const verdict = caseVerdict(
    errored,
    criteria.map((result) => result.verdict),
  );
  const applied = plan.criteria.filter((_, index) => criteria[index]?.coverage !== null);
  const hasNothing =
    plan.compat !== 'adk' && (verdict === 'passed' || verdict === 'failed') && comparesWithNothing(evalCase, applied);
  return { verdict: hasNothing ? 'not-evaluated' : verdict, hasNothing };
}

function checkUnits(plan: Plan, evalCase: EvalCase, units: readonly UnitScores[]): void {
  const { evalSetId } = plan.evalSet;
  const repeats = new Set<number>();
  const variant = units[0]?.key.variant;
  for (const { key } of units) {
    if (key.setId !== evalSetId || key.caseId !== evalCase.evalId) {
      const message = `scores of the case "${key.caseId}" of "${key.setId}" were given for "${evalCase.evalId}" of "${evalSetId}"; group them by case first`;
      throw new CriteriaError({ code: 'USAGE', message });
    }
    if (key.variant !== variant) {
      const message = `there are scores of several variants of the case "${key.caseId}"; summarise one variant at a time`;
      throw new CriteriaError({ code: 'USAGE', message });
    }
    if (repeats.has(key.repeat)) {
      const message = `there are two scores of the case "${key.caseId}", repeat ${key.repeat}; summarise one scoring at a time`;
      throw new CriteriaError({ code: 'USAGE', message });
    }
    repeats.add(key.repeat);
  }
}

/** Counts the verdicts of cases and derives the verdict and the exit code of the run. */
export function summarise(cases: readonly { readonly verdict: Verdict }[]): Summary {
  const verdicts: Record<Verdict, number> = { passed: 0, failed: 0, 'not-evaluated': 0, error: 0, informational: 0 };
  for (const { verdict } of cases) verdicts[verdict] += 1;
  const nothingJudged = cases.length > 0 && verdicts.informational === cases.length;
  return {
    verdict: runVerdict(verdicts),
    total: cases.length,
    verdicts,
    nothingJudged,
    exitCode: exitCode(cases.map((result) => result.verdict)),
  };
}

function runVerdict(verdicts: Readonly<Record<Verdict, number>>): Verdict {
  const order: readonly Verdict[] = ['failed', 'error', 'not-evaluated', 'passed', 'informational'];
  return order.find((verdict) => verdicts[verdict] > 0) ?? 'not-evaluated';
}

function summariseCriterion(
  planned: PlannedCriterion,
  plan: Plan,
  evalCase: EvalCase,
  units: readonly UnitScores[],
): CriterionResult {
  const { criterion, threshold } = planned;
  const { range } = criterion;
  // History turns are shown but not counted, even if ADK's metric counts missing scores as 0.
  const history = criterion.scope === 'turn' ? historyLength(evalCase) : 0;
  const turns: TurnResult[] = [];
  const scores: Score[] = [];
  const each: (Bounds | null)[] = [];
  const empty: number[] = [];
  const decisive: Score[] = [];
  let hasOverall = false;
  for (const unit of units) {
    const found = unit.criteria.find((scores) => scores.name === planned.name);
    const given = found?.scores ?? [couldNotJudge('this repeat was never scored by this criterion')];
    if (given.length === 0) empty.push(unit.key.repeat);
    const counted = given.slice(history);
    const overall = criterion.scope === 'turn' ? overallScore(counted) : null;
    hasOverall ||= overall !== null;
    for (const score of overall === null ? counted : [overall]) decisive.push(score);
    for (const [index, score] of given.entries()) {
      const own = scoreBounds(score, range);
      const value = (plan.compat === 'adk' ? scoreBounds(adkView(score), range) : own)?.shown ?? null;
      if (index >= history) {
        each.push(own);
        scores.push(score);
      }
      turns.push({
        repeat: unit.key.repeat,
        turn: criterion.scope === 'turn' ? index : null,
        value,
        reached: value === null || threshold === null ? null : meetsThreshold(value, threshold, range, plan.compat),
        score,
      });
    }
  }
  const bounds = caseBounds(criterion, decisive, plan.compat);
  const counts = countScores(each);
  const pooled = criterionVerdict(planned, bounds, scores.length, plan.compat);
  // A repeat without turns is not evaluated, even if other repeats have turns.
  const verdict = pooled === 'passed' && empty.length > 0 ? 'not-evaluated' : pooled;
  const reason =
    verdict === pooled
      ? criterionReason(planned, verdict, bounds, counts, scores, hasOverall ? decisive : [])
      : `repeat ${(empty[0] ?? 0) + 1} has no turn to score`;
  const shownOf = (all: readonly Score[], own: Bounds | null) =>
    plan.compat === 'adk' ? adkScore(criterion, all) : (own?.shown ?? null);
  const shown = shownOf(decisive, bounds);
  return {
    name: planned.name,
    verdict,
    score: shown,
    threshold,
    coverage: bounds?.coverage ?? null,
    counts,
    ...(hasOverall ? { meanOfTurns: shownOf(scores, caseBounds(criterion, scores, plan.compat)) } : {}),
    reason,
    turns,
    warnings: [...new Set(scores.flatMap((score) => score.warnings ?? []))],
    ...(plan.compat === 'adk' ? { adkStatus: adkStatus(planned, shown) } : {}),
  };
}

/** Derives ADK's own status, which compares the shown score and ignores coverage. */
function adkStatus(planned: PlannedCriterion, shown: number | null): AdkStatus {
  if (planned.threshold === null) return 4;
  if (shown === null) return 3;
  return meetsThreshold(shown, planned.threshold, planned.criterion.range, 'adk') ? 1 : 2;
}

function criterionReason(
  planned: PlannedCriterion,
  verdict: CriterionVerdict,
  bounds: Bounds | null,
  counts: ScoreCounts,
  scores: readonly Score[],
  overall: readonly Score[],
): string | undefined {
  const [unjudged] = overall.flatMap(firstUnjudged);
  const missing = unjudged ?? missingReason(counts, scores);
  if (verdict === 'skipped') return `skipped: ${missing ?? 'it does not apply to this case'}`;
  if (scores.length === 0) return 'the conversation has no turn to score';
  if (bounds === null) return missing;
  if (verdict === 'failed') return failedReason(planned, bounds, missing, overall.length > 0 ? overall : scores);
  if (verdict === 'not-evaluated') {
    if (bounds.shown !== null && !covers(bounds.coverage, planned.minCoverage)) {
      return `coverage ${formatShare(bounds.coverage, planned.minCoverage)} is below ${formatShare(planned.minCoverage)}: ${missing ?? 'parts of turns could not be judged'}`;
    }
    return missing ?? 'what could not be judged inside the turns could change the verdict';
  }
  return missing;
}

function failedReason(
  planned: PlannedCriterion,
  bounds: Bounds,
  missing: string | undefined,
  scores: readonly Score[],
): string {
  const { range } = planned.criterion;
  const value =
    bounds.shown === null ? `anything in ${formatRange(range)}` : formatScore(bounds.shown, planned.threshold);
  const worst = scores.find(
    (score) => score.reason !== undefined && !('value' in score && score.value === null) && !isBest(score, planned),
  );
  const why = worst?.reason === undefined ? '' : `: ${worst.reason}`;
  const rest = missing === undefined || bounds.complete ? '' : ` (${missing}; it would fail with any value of it)`;
  const side = range.better === 'higher' ? 'below' : 'above';
  return `${value} is ${side} the threshold ${planned.threshold}${why}${rest}`;
}

function isBest(score: Score, planned: PlannedCriterion): boolean {
  const { range } = planned.criterion;
  return 'value' in score && score.value === (range.better === 'higher' ? range.max : range.min);
}

/** Describes how many turns were not scored, with the first reason. */
function missingReason(counts: ScoreCounts, scores: readonly Score[]): string | undefined {
  const total = counts.scored + counts.couldNotJudge + counts.notApplicable;
  const unjudged = scores.flatMap((score) => firstUnjudged(score));
  if (unjudged.length > 0) return `${share(unjudged.length, total)} could not be judged${because(unjudged[0])}`;
  if (counts.notApplicable === 0) return undefined;
  const first = scores.find((score) => 'value' in score && score.value === null);
  const verb = counts.notApplicable === 1 ? 'is' : 'are';
  return `${share(counts.notApplicable, total)} ${verb} not applicable${because(first?.reason)}`;
}

/** Returns the reason of the first could-not-judge in a score, as a list of at most one item. */
function firstUnjudged(score: Score): (string | undefined)[] {
  if ('parts' in score) {
    for (const part of score.parts) {
      const inside = firstUnjudged(part);
      if (inside.length > 0) return inside;
    }
    return [];
  }
  return score.value === null && score.missing === 'could-not-judge' ? [score.reason] : [];
}

function because(reason: string | undefined): string {
  return reason === undefined ? '' : `: ${reason}`;
}

function share(part: number, total: number): string {
  return total === 1 ? 'it' : `${part} of ${total} turns`;
}

function caseReason(
  verdict: Verdict,
  criteria: readonly CriterionResult[],
  units: readonly UnitScores[],
): string | undefined {
  if (verdict === 'passed') return undefined;
  if (verdict === 'error') {
    const bad = units.find((unit) => endedInError(unit.ending));
    if (bad === undefined) return 'no inference was recorded';
    return bad.ending.by === 'error' ? bad.ending.error.message : (bad.ending.reason ?? 'the run was aborted');
  }
  if (verdict === 'informational') return 'only measured: this config has no deciding criteria';
  const decisive = criteria.filter((result) => result.verdict === verdict);
  if (decisive.length === 0) return 'every criterion was skipped';
  const reasons = decisive.map((result) => `${result.name}: ${result.reason ?? verdict}`);
  // Criteria's reasons are sentences with or without a full stop.
  return reasons.map((text, index) => (index < reasons.length - 1 ? text.replace(/\.$/, '') : text)).join('; ');
}
