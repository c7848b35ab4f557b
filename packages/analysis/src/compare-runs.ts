import type { Range } from '@agent-criteria/core';
import { benjaminiHochberg, isUnknown } from '@agent-criteria/statistics';
import { MIN_EFFECT } from './analyse-run.ts';
import { passesOf, scoresOf } from './case-values.ts';
import type { Change, ChangeVerdict } from './change.ts';
import { comparisonSentence } from './comparison-sentence.ts';
import type { CriterionFacts } from './criterion-facts.ts';
import type { CaseValues } from './estimate.ts';
import { meanOf, RATE } from './estimate-of.ts';
import { type FlippedCase, flippedCases } from './flipped-cases.ts';
import { type CasePair, type Pairing, pairCases } from './pair-cases.ts';
import { type PairedDifference, pairedDifference, type ValuePair } from './paired-difference.ts';
import { PASS_RATE } from './pass-rate.ts';
import {
  OTHER_RULE,
  passingRule,
  type RunDifference,
  runDifferences,
  sharedCriteria,
  whyNotCompared,
} from './run-differences.ts';
import type { RunOutcomes } from './run-outcomes.ts';
import { STOP_OTHERWISE, stopAlike } from './stopped-early.ts';

/** Two runs of the same cases, and what can be said of the change. Plain JSON. */
export interface RunComparison {
  readonly base: ComparedRun;
  readonly candidate: ComparedRun;
  readonly level: number;
  readonly minEffect: number;
  /** What is not the same, beside what the agent did. */
  readonly differences: readonly RunDifference[];
  readonly cases: Omit<Pairing, 'pairs'> & { readonly paired: number };
  /** The share of repeats that pass; `null`: it cannot be compared, and `notCompared` says why. */
  readonly passRate: Change | null;
  /** Criteria that decide, in the order of the candidate. */
  readonly criteria: readonly Change[];
  /** What is only measured: tokens, time and the like. It decides nothing. */
  readonly measures: readonly Change[];
  readonly notCompared: readonly { readonly name: string; readonly why: string }[];
  /** Cases with another verdict: those that got worse come first. */
  readonly flipped: readonly FlippedCase[];
  readonly outcome: Outcome;
  /** The comparison in one sentence. */
  readonly statement: string;
}

/** `nothing-compared`: the runs share no case, or no criterion. */
export type Outcome = 'regression' | 'improvement' | 'no-change' | 'cannot-tell' | 'nothing-compared';

export interface ComparedRun {
  readonly id: string;
  readonly variant?: string | undefined;
  readonly agent: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly cases: number;
}

export interface CompareOptions {
  /** Of intervals. Default 0.95. */
  readonly level?: number | undefined;
  /** The smallest change that counts, as a share of the scale: 0.05 is 5 points of a rate. Default 0.05. */
  readonly minEffect?: number | undefined;
  /** How often a change is called where there is none. Default 0.05. */
  readonly alpha?: number | undefined;
}

/**
 * Compares two runs case by case. Of the numbers that decide (the pass rate and the deciding criteria), p is corrected for their
 * number by Benjamini and Hochberg. A change is called a regression or an improvement only if it is significant and at least
 * `minEffect`; an improvement also has to hold with everything the candidate could not be judged on at its worst.
 */
export function compareRuns(base: RunOutcomes, candidate: RunOutcomes, options: CompareOptions = {}): RunComparison {
  const { level = 0.95, minEffect = MIN_EFFECT, alpha = 0.05 } = options;
  const pairing = pairCases(base.cases, candidate.cases);
  const { pairs, ...unpaired } = pairing;
  const notCompared: { name: string; why: string }[] = [...unsharedCriteria(base, candidate)];
  const deciding: Compared[] = [];
  const measured: Compared[] = [];
  const rate = passRates(base, candidate, pairs);
  if (typeof rate === 'string') notCompared.push({ name: PASS_RATE, why: rate });
  else deciding.push(difference({ name: PASS_RATE, range: RATE }, rate, level, minEffect));
  for (const [before, after] of sharedCriteria(base, candidate)) {
    const why = whyNotCompared(before, after, base, candidate);
    if (why !== null) {
      notCompared.push({ name: after.name, why });
      continue;
    }
    const values = valuePairs(pairs, (one) => scoresOf(one, after.name, after.range));
    const compared = difference(after, values, level, minEffect);
    (after.decides && before.decides ? deciding : measured).push(compared);
  }
  const changes = corrected(deciding, alpha);
  const passRate = changes.find(({ name }) => name === PASS_RATE) ?? null;
  const criteria = changes.filter((change) => change !== passRate);
  const outcome = outcomeOf(changes);
  return {
    base: describe(base),
    candidate: describe(candidate),
    level,
    minEffect,
    differences: runDifferences(base, candidate, pairing),
    cases: { ...unpaired, paired: pairs.length },
    passRate,
    criteria,
    measures: measured.map((one) => withVerdict(one, null, alpha)),
    notCompared,
    flipped: flippedCases(pairs),
    outcome,
    statement: statementOf(outcome, changes, pairs.length),
  };
}

type Compared = PairedDifference & Pick<Change, 'name' | 'range' | 'minEffect'>;

function difference(
  { name, range }: Pick<CriterionFacts, 'name' | 'range'>,
  values: readonly ValuePair[],
  level: number,
  share: number,
): Compared {
  const scale = scaleOf(range, values);
  const minEffect = share * scale;
  const width = range.max === null ? null : scale;
  return { name, range, minEffect, ...pairedDifference(values, level, minEffect, width) };
}

/** The width of a scale; of one without an end, the mean of the base. */
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

function corrected(all: readonly Compared[], alpha: number): readonly Change[] {
  const tested = all.filter(({ p }) => !isUnknown(p));
  const adjusted = benjaminiHochberg(tested.map(({ p }) => p as number));
  const byName = new Map(tested.map(({ name }, index) => [name, adjusted[index] as number]));
  return all.map((one) => withVerdict(one, byName.get(one.name) ?? null, alpha));
}

/** @param adjustedP `null`: the number decides nothing, or cannot be tested. */
function withVerdict(one: Compared, adjustedP: number | null, alpha: number): Change {
  const p = adjustedP ?? (isUnknown(one.p) ? null : one.p);
  const verdict = verdictOf(one, p, alpha);
  const change = { ...one, adjustedP, verdict };
  return { ...change, text: comparisonSentence(change) };
}

function verdictOf(one: Compared, p: number | null, alpha: number): ChangeVerdict {
  if (one.difference === null || p === null) return 'nothing-paired';
  const { minEffect, range, atWorst, detects } = one;
  const sign = range.better === 'higher' ? 1 : -1;
  const gain = sign * one.difference;
  const counts = (size: number) => size >= minEffect - 1e-12;
  const holds = p <= alpha;
  if (holds && counts(-gain)) return 'regression';
  // Unknown at its worst: there is no end to how bad it could be.
  const isOpen = one.unjudged > 0;
  const worst = atWorst === null ? null : sign * atWorst.difference;
  const worstP = atWorst === null || isUnknown(atWorst.p) ? 1 : atWorst.p;
  if (holds && counts(gain)) {
    if (!isOpen) return 'improvement';
    return worst !== null && counts(worst) && worstP <= alpha ? 'improvement' : 'cannot-tell';
  }
  if (isOpen && worst !== null && counts(-worst) && worstP <= alpha) return 'cannot-tell';
  if (holds) return 'small';
  return !isUnknown(detects) && detects <= minEffect ? 'noise' : 'too-few';
}

function outcomeOf(changes: readonly Change[]): Outcome {
  const tested = changes.filter(({ verdict }) => verdict !== 'nothing-paired');
  const has = (verdict: ChangeVerdict) => tested.some((change) => change.verdict === verdict);
  if (tested.length === 0) return 'nothing-compared';
  if (has('regression')) return 'regression';
  if (has('cannot-tell')) return 'cannot-tell';
  return has('improvement') ? 'improvement' : 'no-change';
}

function statementOf(outcome: Outcome, changes: readonly Change[], paired: number): string {
  if (paired === 0) return 'Nothing was compared: the runs have no case in common.';
  if (outcome === 'nothing-compared')
    return 'Nothing was compared: no deciding criterion can be compared between these runs.';
  const of = (verdict: ChangeVerdict) => changes.filter((change) => change.verdict === verdict);
  const wanted: Readonly<Record<Exclude<Outcome, 'nothing-compared'>, readonly Change[]>> = {
    regression: of('regression'),
    'cannot-tell': of('cannot-tell'),
    improvement: of('improvement'),
    'no-change': [...of('too-few'), ...of('small'), ...of('noise')],
  };
  // Of several, the one that says most is the surest.
  const [first] = [...wanted[outcome]].sort((a, b) => (a.adjustedP ?? 1) - (b.adjustedP ?? 1));
  if (first === undefined) return 'Nothing was compared.';
  return first.name === PASS_RATE ? `The ${first.text}.` : `${first.text}.`;
}

function describe({ id, variant, agent, startedAt, cases }: RunOutcomes): ComparedRun {
  return { id, ...(variant === undefined ? {} : { variant }), agent, startedAt, cases: cases.length };
}
