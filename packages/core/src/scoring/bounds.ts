import type { Aggregate, Criterion, Range } from '../contracts/criterion.ts';
import type { Score, ScorePart } from '../contracts/score.ts';
import { exactMean, exactMeanWith, sumMean } from './mean.ts';
import { MAX_PARTS } from './sanitise-score.ts';

/**
 * The bounds of one or several scores: the score that is shown, and the scores that would result if every
 * could-not-judge in it had the worst or the best value in the range. All three are equal for a plain number.
 */
export interface Bounds {
  /** The mean of the scores that have a number, or `null` if there are none. */
  readonly shown: number | null;
  /** The score with every could-not-judge at the worst end of the range; infinite if the range has no such end. */
  readonly worst: number;
  /** The score with every could-not-judge at the best end of the range; infinite if the range has no such end. */
  readonly best: number;
  /** The share that was scored, from 0 to 1, weighted like the mean. */
  readonly coverage: number;
  /** Whether no score is could-not-judge. Coverage cannot tell, because a small share can be lost to rounding. */
  readonly complete: boolean;
  /** Whether a turn has lost an unknown number of parts, so that nothing can pass. */
  readonly lost: boolean;
}

/** The number of turns with each kind of score. */
export interface ScoreCounts {
  readonly scored: number;
  readonly couldNotJudge: number;
  readonly notApplicable: number;
}

type Mean = (values: readonly number[]) => number;

/** Returns the worst and the best end of a range. An end is infinite if the range has no maximum. */
export function ends(range: Range): { worst: number; best: number } {
  const max = range.max ?? Number.POSITIVE_INFINITY;
  return range.better === 'higher' ? { worst: range.min, best: max } : { worst: max, best: range.min };
}

/** Computes the bounds of a score, or `null` if it is not applicable. The mean of parts is exact. */
export function scoreBounds(score: Score, range: Range): Bounds | null {
  if ('parts' in score)
    return meanBounds(
      score.parts.map((part) => scoreBounds(part, range)),
      exactMean,
    );
  if (score.value !== null) return numberBounds(score.value);
  return score.missing === 'not-applicable' ? null : unknownBounds(range);
}

function numberBounds(value: number): Bounds {
  return { shown: value, worst: value, best: value, coverage: 1, complete: true, lost: false };
}

function isNumber(bounds: Bounds): bounds is Bounds & { readonly shown: number } {
  return bounds.complete && !bounds.lost && bounds.worst === bounds.shown && bounds.best === bounds.shown;
}

/** Returns the bounds of a could-not-judge: the whole range. */
function unknownBounds(range: Range): Bounds {
  return { shown: null, ...ends(range), coverage: 0, complete: false, lost: false };
}

/**
 * Aggregates the scores of all turns of all repeats of a case with the criterion's aggregate. Returns `null` if none is
 * applicable.
 */
export function caseBounds(
  criterion: Pick<Criterion, 'range' | 'aggregate' | 'adk'>,
  scores: readonly Score[],
  compat: 'adk' | null,
): Bounds | null {
  const { range } = criterion;
  const aggregate: Aggregate =
    (compat === 'adk' ? criterion.adk?.aggregate : undefined) ?? criterion.aggregate ?? 'turns';
  const mean: Mean = compat === 'adk' && (criterion.adk?.mean ?? 'sum') === 'sum' ? sumMean : exactMean;
  if (aggregate === 'parts') return pooledBounds(scores, range);
  const turns = scores.map((score) => scoreBounds(score, range));
  if (typeof aggregate === 'function') return functionBounds(turns, range, aggregate);
  return meanBounds(turns, mean);
}

function meanBounds(all: readonly (Bounds | null)[], mean: Mean): Bounds | null {
  const applicable = all.filter((bounds) => bounds !== null);
  // Shortcut: most cases have one turn.
  if (applicable.length < 2) return applicable[0] ?? null;
  if (applicable.every(isNumber)) return numberBounds(mean(applicable.map((bounds) => bounds.shown)));
  const shown = applicable.flatMap((bounds) => (bounds.shown === null ? [] : [bounds.shown]));
  return {
    shown: shown.length === 0 ? null : mean(shown),
    worst: mean(applicable.map((bounds) => bounds.worst)),
    best: mean(applicable.map((bounds) => bounds.best)),
    coverage: exactMean(applicable.map((bounds) => bounds.coverage)),
    complete: applicable.every((bounds) => bounds.complete),
    lost: applicable.some((bounds) => bounds.lost),
  };
}

/**
 * Computes the number that ADK shows for a case, or `null` if it shows none. Missing scores are dropped, or count as 0
 * if ADK's metric counts them so. Verdicts do not use this number.
 */
export function adkScore(
  criterion: Pick<Criterion, 'range' | 'aggregate' | 'adk'>,
  scores: readonly Score[],
): number | null {
  const { adk, range } = criterion;
  const asAdk = scores.map(adkView);
  if (adk?.missing !== 'zero') return caseBounds(criterion, asAdk, 'adk')?.shown ?? null;
  if (asAdk.length === 0) return null;
  const mean: Mean = adk.mean === 'sum' ? sumMean : exactMean;
  return mean(asAdk.map((score) => scoreBounds(score, range)?.shown ?? 0));
}

/**
 * Replaces the value of a score, or of its parts, with `adkValue`, where there is one.
 */
export function adkView(score: ScorePart): ScorePart;
export function adkView(score: Score): Score;
export function adkView(score: Score): Score {
  if ('parts' in score) return { ...score, parts: score.parts.map((part) => adkView(part)) };
  const { adkValue } = score;
  if (adkValue === undefined) return score;
  return adkValue === null ? { ...score, value: null, missing: 'could-not-judge' } : { ...score, value: adkValue };
}

function pooledBounds(scores: readonly Score[], range: Range): Bounds | null {
  const known = scores.filter((score) => !hasLostParts(score));
  const partsOf = (score: Score) =>
    'parts' in score ? score.parts.map((part) => scoreBounds(part, range)) : [scoreBounds(score, range)];
  const pooled = meanBounds(scores.flatMap(partsOf), exactMean);
  const lost = scores.length - known.length;
  if (pooled === null || lost === 0) return pooled;
  const best = bestWithLost(known.flatMap(partsOf), lost, range);
  return { ...pooled, worst: ends(range).worst, best, complete: false, lost: true };
}

/** Whether a turn could not be judged as a whole, so that its number of parts is unknown. */
function hasLostParts(score: Score): boolean {
  return !('parts' in score) && score.value === null && score.missing === 'could-not-judge';
}

/**
 * Computes the best possible pooled mean: each lost turn has the maximum number of parts, all at the best end of the
 * range. Without that maximum, the mean could be arbitrarily close to the best end, and nothing could fail.
 */
function bestWithLost(known: readonly (Bounds | null)[], lost: number, range: Range): number {
  const { best } = ends(range);
  if (!Number.isFinite(best)) return best;
  const values = known.flatMap((bounds) => (bounds === null ? [] : [bounds.best]));
  return exactMeanWith(values, best, lost * MAX_PARTS);
}

function functionBounds(turns: readonly (Bounds | null)[], range: Range, aggregate: Mean): Bounds | null {
  const applicable = turns.filter((turn) => turn !== null);
  if (applicable.length === 0) return null;
  const shown = applicable.flatMap((turn) => (turn.shown === null ? [] : [turn.shown]));
  const result = {
    shown: shown.length === 0 ? null : apply(aggregate, shown, range),
    worst: apply(
      aggregate,
      applicable.map((turn) => turn.worst),
      range,
    ),
    best: apply(
      aggregate,
      applicable.map((turn) => turn.best),
      range,
    ),
  };
  const coverage = exactMean(applicable.map((turn) => turn.coverage));
  // If the function fails on the known numbers, the score is could-not-judge.
  if (shown.length > 0 && result.shown === null) return unknownBounds(range);
  const { worst, best } = ends(range);
  return {
    shown: result.shown,
    worst: result.worst ?? worst,
    best: result.best ?? best,
    coverage,
    complete: applicable.every((turn) => turn.complete),
    lost: false,
  };
}

/** Calls an aggregate function. Returns `null` if an input is infinite, or the result is not a number in the range. */
function apply(aggregate: Mean, values: readonly number[], range: Range): number | null {
  if (!values.every(Number.isFinite)) return null;
  try {
    const value = aggregate([...values]);
    if (typeof value !== 'number' || !Number.isFinite(value)) return null;
    return value < range.min || (range.max !== null && value > range.max) ? null : value;
  } catch {
    return null;
  }
}

/** Counts turns by kind of score. A turn with some scored parts counts as scored; its coverage is below 1. */
export function countScores(turns: readonly (Bounds | null)[]): ScoreCounts {
  let scored = 0;
  let couldNotJudge = 0;
  let notApplicable = 0;
  for (const bounds of turns) {
    if (bounds === null) notApplicable += 1;
    else if (bounds.shown === null) couldNotJudge += 1;
    else scored += 1;
  }
  return { scored, couldNotJudge, notApplicable };
}
