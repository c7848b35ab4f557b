import type { Range } from '@agent-criteria/core';
import { benjaminiHochberg, holm, isUnknown, type Unknown } from '@agent-criteria/statistics';
import { passesOf, scoresOf, scoresTooLarge } from './case-values.ts';
import {
  type Change,
  type ChangeVerdict,
  type ComparisonOutcome,
  isAllUnjudged,
  MIN_EFFECT,
  PASS_RATE,
} from './change.ts';
import { type CaseValues, meanOf, RATE, type ValuePair } from './estimate.ts';
import { type FlippedCase, flippedCases } from './flipped-cases.ts';
import type { CriterionFacts } from './instrument.ts';
import { type CasePair, type Pairing, pairCases } from './pair-cases.ts';
import { type PairedDifference, pairedDifference, type TestedDifference } from './paired-difference.ts';
import { OTHER_RULE, passingRule, selectedByVerdicts, sharedCriteria, whyNotCompared } from './run-differences.ts';
import type { RunOutcomes } from './run-outcomes.ts';
import { STOP_OTHERWISE, stopAlike } from './stopped-early.ts';
import { comparisonSentence, comparisonStatement } from './text/comparison-sentence.ts';
import { type RunDifference, runDifferences } from './text/run-differences.ts';
import type { AtEnd } from './unjudged.ts';

/** A comparison of two runs of the same cases. Plain JSON. */
export interface RunComparison {
  readonly base: ComparedRun;
  readonly candidate: ComparedRun;
  readonly level: number;
  readonly minEffect: number;
  /** Differences between the runs other than the agent's behaviour. */
  readonly differences: readonly RunDifference[];
  readonly cases: Omit<Pairing, 'pairs'> & { readonly paired: number };
  /** The pass rate, or `null` if it cannot be compared, for a reason in `notCompared`. */
  readonly passRate: Change | null;
  /** Criteria that decide in both runs, in the candidate's order. */
  readonly criteria: readonly Change[];
  /** Other criteria, such as tokens and time. */
  readonly measures: readonly Change[];
  readonly notCompared: readonly { readonly name: string; readonly why: string }[];
  /** Cases whose verdict changed, lost ones first. */
  readonly flipped: readonly FlippedCase[];
  readonly outcome: ComparisonOutcome;
  readonly statement: string;
}

export interface ComparedRun extends Pick<RunOutcomes, 'id' | 'variant' | 'agent' | 'startedAt'> {
  readonly cases: number;
}

export interface CompareOptions {
  /** The smallest change that counts, as a share of the scale: 0.05 is 5 points of a rate. Default 0.05. */
  readonly minEffect?: number | undefined;
  /**
   * The probability of reporting a change in any deciding number when there is none. Intervals have the level 1 -
   * `alpha` before correction. Default 0.05.
   */
  readonly alpha?: number | undefined;
  /** The number of comparisons that together set one exit code, such as those of variants. Default 1. */
  readonly comparisons?: number | undefined;
}

/**
 * Compares two runs case by case. The p-values of deciding numbers (the pass rate and the deciding criteria) are
 * corrected by Holm's method, so that a change in any of them is reported falsely with probability `alpha` at most;
 * those of other numbers by Benjamini and Hochberg's. A change is a regression or an improvement if it is significant
 * and at least `minEffect`, and would be both even if everything that could not be judged counted against it. A fall of
 * `minEffect` is inconclusive if the cases could never show a regression.
 */
export function compareRuns(base: RunOutcomes, candidate: RunOutcomes, options: CompareOptions = {}): RunComparison {
  const { minEffect = MIN_EFFECT, alpha = 0.05, comparisons = 1 } = options;
  const pairing = pairCases(base.cases, candidate.cases);
  const { pairs, ...unpaired } = pairing;
  const notCompared: { name: string; why: string }[] = [...unsharedCriteria(base, candidate)];
  const deciding: Compared[] = [];
  const measured: Compared[] = [];
  /** The reason why a deciding number cannot be computed, or `null` if there is none. */
  let uncomputed: string | null = null;
  // Stopping early makes the number of repeats depend on their results.
  const byRepeats = base.stoppedEarly === undefined && candidate.stoppedEarly === undefined;
  const rate = passRates(base, candidate, pairs);
  if (typeof rate === 'string') notCompared.push({ name: PASS_RATE, why: rate });
  else deciding.push(compared({ name: PASS_RATE, range: RATE }, rate, minEffect, byRepeats));
  for (const [before, after] of sharedCriteria(base, candidate)) {
    const why = whyNotCompared(before, after, base, candidate);
    const tooLarge = scoresTooLarge(base, before) ?? scoresTooLarge(candidate, after);
    const obstacle = why ?? tooLarge;
    if (obstacle !== null) {
      notCompared.push({ name: after.name, why: obstacle });
      if (why === null && after.decides && before.decides) uncomputed ??= tooLarge;
      continue;
    }
    const values = valuePairs(pairs, (one) => scoresOf(one, after.name, after.range));
    const found = compared(after, values, minEffect, byRepeats);
    (after.decides && before.decides ? deciding : measured).push(found);
  }
  const selected = selectedByVerdicts(base, candidate);
  const changesOf = (all: readonly Compared[], adjusted: readonly (number | null)[]) =>
    all.map((one, index) => withVerdict(one, adjusted[index] ?? null, alpha, selected !== null));
  const changes = changesOf(deciding, correctedTogether(deciding, comparisons));
  const passRate = changes.find(({ name }) => name === PASS_RATE) ?? null;
  const criteria = changes.filter((change) => change !== passRate);
  const outcome = selected === null ? outcomeOf(changes, uncomputed !== null) : 'nothing-compared';
  return {
    base: describe(base),
    candidate: describe(candidate),
    level: 1 - alpha,
    minEffect,
    differences: runDifferences(base, candidate, pairing),
    cases: { ...unpaired, paired: pairs.length },
    passRate,
    criteria,
    measures: changesOf(measured, correctedAsTable(measured)),
    notCompared,
    flipped: flippedCases(pairs),
    outcome,
    statement:
      selected === null
        ? comparisonStatement(outcome, changes, pairs.length, uncomputed)
        : `Nothing was compared: ${selected}.`,
  };
}

interface Compared extends Pick<Change, 'name' | 'range' | 'minEffect'> {
  readonly tested: TestedDifference;
}

function compared(
  { name, range }: Pick<CriterionFacts, 'name' | 'range'>,
  values: readonly ValuePair[],
  share: number,
  byRepeats: boolean,
): Compared {
  return { name, range, minEffect: share * scaleOf(range, values), tested: pairedDifference(values, range, byRepeats) };
}

/** Returns the width of a scale or, if it has no upper end, the mean of the base. */
function scaleOf({ min, max }: Range, values: readonly ValuePair[]): number {
  if (max !== null) return max - min;
  const before = values.flatMap(({ base }) => base.values.map(Math.abs));
  return before.length === 0 ? 1 : meanOf(before) || 1;
}

function passRates(
  base: RunOutcomes,
  candidate: RunOutcomes,
  pairs: readonly CasePair[],
): readonly ValuePair[] | string {
  const [before, after] = [passingRule(base), passingRule(candidate)];
  if (before === '' && after === '') return 'neither run has a criterion that decides';
  if (base.compat !== candidate.compat || before !== after) return OTHER_RULE;
  if (!stopAlike(base, candidate)) return STOP_OTHERWISE;
  return valuePairs(pairs, passesOf);
}

function valuePairs(
  pairs: readonly CasePair[],
  read: (one: CasePair['base']) => CaseValues | null,
): readonly ValuePair[] {
  return pairs.flatMap(({ base, candidate }) => {
    const [before, after] = [read(base), read(candidate)];
    return before === null || after === null ? [] : [{ base: before, candidate: after }];
  });
}

function* unsharedCriteria(base: RunOutcomes, candidate: RunOutcomes): Iterable<{ name: string; why: string }> {
  const names = ({ criteria }: RunOutcomes) => new Set(criteria.map(({ name }) => name));
  const [before, after] = [names(base), names(candidate)];
  for (const name of before) if (!after.has(name)) yield { name, why: 'only the base run has it' };
  for (const name of after) if (!before.has(name)) yield { name, why: 'only the new run has it' };
}

/**
 * Applies Holm's correction. Numbers that are equal in every case, such as a pass rate and its only criterion, count
 * once.
 */
function correctedTogether(all: readonly Compared[], comparisons: number): readonly (number | null)[] {
  const distinct = new Map<string, number>();
  for (const { tested } of all) if (!isUnknown(tested.p)) distinct.set(tested.question, tested.p);
  const questions = [...distinct.keys()];
  const adjusted = holm([...distinct.values()], (comparisons - 1) * distinct.size);
  return all.map(({ tested }) => adjusted[questions.indexOf(tested.question)] ?? null);
}

function correctedAsTable(all: readonly Compared[]): readonly (number | null)[] {
  const known = all.filter(({ tested }) => !isUnknown(tested.p));
  const adjusted = benjaminiHochberg(known.map(({ tested }) => tested.p as number));
  return all.map((one) => adjusted[known.indexOf(one)] ?? null);
}

const SELECTED: Unknown = { unknown: 'the cases were selected by their verdicts' };

/** @param adjustedP `null` if unknown. */
function withVerdict(
  { tested, ...one }: Compared,
  adjustedP: number | null,
  alpha: number,
  isSelected: boolean,
): Change {
  // The level of the interval matches the corrected p-value. With very many cases, p may underflow to 0.
  const own = !adjustedP || isUnknown(tested.p) ? alpha : (alpha * tested.p) / adjustedP;
  const difference = tested.at(own);
  const couldShow = difference.leastP <= own;
  const verdict = isSelected ? 'selected' : verdictOf({ ...one, ...difference, couldShow }, adjustedP, alpha, own);
  const shown = isSelected ? { p: SELECTED, interval: SELECTED, likeThese: null } : {};
  const change = { ...one, ...difference, ...shown, adjustedP: isSelected ? null : adjustedP, couldShow, verdict };
  return { ...change, text: comparisonSentence(change) };
}

function verdictOf(
  one: PairedDifference & Pick<Change, 'range' | 'minEffect' | 'couldShow'>,
  p: number | null,
  alpha: number,
  own: number,
): ChangeVerdict {
  if (one.difference === null || p === null) return 'nothing-paired';
  const { minEffect, range, atWorst, atBest, unjudged, unjudgedAlike, interval, couldShow } = one;
  const sign = range.better === 'higher' ? 1 : -1;
  const gain = sign * one.difference;
  const counts = (size: number) => size >= minEffect - 1e-12;
  const isOpen = unjudged > 0;
  const shows = (end: AtEnd | null, direction: 1 | -1, level: number) =>
    end !== null && counts(direction * sign * end.difference) && !isUnknown(end.p) && end.p <= level;
  const holds = p <= alpha;
  if (holds && counts(-gain)) return !isOpen || shows(atBest, -1, own) ? 'regression' : 'cannot-tell';
  if (holds && counts(gain)) return !isOpen || shows(atWorst, 1, own) ? 'improvement' : 'cannot-tell';
  if (isOpen && !unjudgedAlike && shows(atWorst, -1, alpha)) return 'cannot-tell';
  // With so few cases, not even the worst result could be significant. An unjudged answer counts as a bad one.
  if (!couldShow && atWorst !== null && counts(-sign * atWorst.difference)) return 'cannot-tell';
  if (holds) return 'small';
  if (counts(-gain) && !couldShow) return 'too-few';
  const isRuledOut = !isUnknown(interval) && !counts(-interval.low) && !counts(interval.high);
  return isRuledOut ? 'ruled-out' : 'open';
}

function outcomeOf(changes: readonly Change[], isUncomputed: boolean): ComparisonOutcome {
  const tested = changes.filter(({ verdict }) => verdict !== 'nothing-paired');
  const has = (verdict: ChangeVerdict) => tested.some((change) => change.verdict === verdict);
  if (tested.length === 0) return 'nothing-compared';
  if (has('regression')) return 'regression';
  if (isUncomputed || has('cannot-tell') || has('too-few') || changes.some(isAllUnjudged)) return 'cannot-tell';
  return has('improvement') ? 'improvement' : 'no-change';
}

function describe({ id, variant, agent, startedAt, cases }: RunOutcomes): ComparedRun {
  return { id, ...(variant === undefined ? {} : { variant }), agent, startedAt, cases: cases.length };
}
