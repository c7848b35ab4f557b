import type { Aggregate, Criterion, Range } from '../contracts/criterion.ts';
import type { Score, ScorePart } from '../contracts/score.ts';
import { exactMean, exactMeanWith, sumMean } from './mean.ts';
import { MAX_PARTS } from './sanitise-score.ts';

/**
 * Everything that a verdict needs to know of a score or of many: what it is (`shown`), and what it could be if every
 * could-not-judge inside it had come out at the worst or at the best end of the range. For a plain number all three
 * are equal.
 */
export interface Bounds {
  /** The mean of what was scored; `null` when nothing was. */
  readonly shown: number | null;
  /** With every missing score at the worst end; infinite where the range has no such end. */
  readonly worst: number;
  /** With every missing score at the best end. */
  readonly best: number;
  /** The share that was scored, weighed as the mean itself; 0 to 1. */
  readonly coverage: number;
  /** Whether nothing inside could not be judged. Coverage alone cannot say: a small enough share rounds away. */
  readonly complete: boolean;
  /** True when an unknown number of parts was lost: then nothing passes. */
  readonly lost: boolean;
}

/** How many scores there were of each kind, over turns. */
export interface ScoreCounts {
  readonly scored: number;
  readonly couldNotJudge: number;
  readonly notApplicable: number;
}

type Mean = (values: readonly number[]) => number;

/** The two ends of a range, as a verdict sees them. */
export function ends(range: Range): { worst: number; best: number } {
  const max = range.max ?? Number.POSITIVE_INFINITY;
  return range.better === 'higher' ? { worst: range.min, best: max } : { worst: max, best: range.min };
}

/** The bounds of one score; `null` when it is not applicable. Parts are always averaged exactly. */
export function scoreBounds(score: Score, range: Range): Bounds | null {
  if ('parts' in score)
    return meanBounds(
      score.parts.map((part) => scoreBounds(part, range)),
      exactMean,
    );
  if (score.value !== null) return numberBounds(score.value);
  return score.missing === 'not-applicable' ? null : unknownBounds(range);
}

/** The bounds of a plain number. */
function numberBounds(value: number): Bounds {
  return { shown: value, worst: value, best: value, coverage: 1, complete: true, lost: false };
}

function isNumber(bounds: Bounds): bounds is Bounds & { readonly shown: number } {
  return bounds.complete && !bounds.lost && bounds.worst === bounds.shown && bounds.best === bounds.shown;
}

/** The bounds of a could-not-judge: anything inside the range. */
function unknownBounds(range: Range): Bounds {
  return { shown: null, ...ends(range), coverage: 0, complete: false, lost: false };
}

/** The bounds of a case: all turns of all its repeats, aggregated as the criterion asks. `null`: nothing applicable. */
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
  // The mean of one is that one: most cases have one turn.
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
 * The number that ADK shows for a case: what is missing is dropped, or counted as 0 where its metric does so. Never what
 * a verdict rests on. `null`: ADK shows none.
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

/** The score as ADK shows it: with a number where only its metric has one. The same object where that is nowhere. */
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

/** Whether a turn could not be judged as a whole: it could have had any number of parts, or none. */
function hasLostParts(score: Score): boolean {
  return !('parts' in score) && score.value === null && score.missing === 'could-not-judge';
}

/**
 * The best that a pooled mean could be. What is known is not better than the best end, so that each further part there
 * brings the mean closer to it: the best is reached with as many as a score may have. Without that limit, it would come
 * as close as one likes, and nothing could fail.
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
  // A function that fails where every turn has a number has judged nothing.
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

/** The function's answer for finite inputs, if it is a number inside the range. */
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

/** Counts turns by kind. A turn whose parts were scored only in part counts as scored: coverage says the rest. */
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
