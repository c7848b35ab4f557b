import { isDeepStrictEqual } from 'node:util';
import { type Criterion, exactMean, type Score } from '@agent-criteria/core';
import { sumMean } from '@agent-criteria/core/host';
import type { Held } from './held.ts';

// Models the result of a row if ADK behaved as some entries of docs/adk-parity.md describe: ADK's own result for no
// entries, and ours for all of them. Written independently of core, so that the two can disagree.

export type Status = 'PASSED' | 'FAILED' | 'NOT_EVALUATED';

/** A number, `null` if unknown, not applicable, or the mean of others. */
export type Value = number | null | 'not-applicable' | readonly Value[];

export interface Outcome {
  readonly score: number | null;
  readonly status: Status;
}

export interface Conversation {
  readonly turns: readonly Value[];
  readonly threshold: number;
  /** The declaration of the criterion. */
  readonly adk: Criterion['adk'];
  /** The best possible value of an unknown. Default 1. */
  readonly best?: number;
}

/**
 * Returns the outcome of a conversation given these entries of core and of rubric criteria; other entries are ignored.
 */
export function comesTo(
  { turns, threshold, adk: declared, best = 1 }: Conversation,
  lines: ReadonlySet<string>,
): Outcome {
  const adk: NonNullable<Criterion['adk']> = declared ?? { mean: 'sum', missing: 'dropped' };
  const pooled = adk.aggregate === 'parts' && !lines.has('mean-of-turns');
  const values = (pooled ? turns.flatMap((turn) => (isParts(turn) ? turn : [turn])) : turns).filter(isApplicable);
  const bound = lines.has('missing-is-a-bound');
  const mean = adk.mean === 'exact' || lines.has('exact-mean') ? exactMean : sumMean;
  const of = (missing: number | null) => {
    const numbers = values.map((value) => meanOf(value, null) ?? missing).filter((value) => value !== null);
    return numbers.length === 0 ? null : mean(numbers);
  };
  const score = of(adk.missing === 'zero' && !bound ? 0 : null);
  const reaches = (value: number) => value >= threshold - (lines.has('tolerance') ? 1e-9 * threshold : 0);
  if (!bound || values.every(isKnown)) {
    return { score, status: score === null ? 'NOT_EVALUATED' : reaches(score) ? 'PASSED' : 'FAILED' };
  }
  // Coverage below 1 never passes; it fails if even the best values of the unknowns would fail.
  const known = values.map((value) => meanOf(value, best) ?? best);
  // The number of parts of a turn without any is unknown: pooled, it may be the maximum of 10,000.
  const lost = pooled ? turns.filter((turn) => turn === null).length * 9_999 : 0;
  const highest = mean([...known, ...Array<number>(lost).fill(best)]);
  return { score, status: reaches(highest) ? 'NOT_EVALUATED' : 'FAILED' };
}

/** Returns the value of a single turn. */
export function shownOf(value: Value): number | null {
  return value === 'not-applicable' ? null : meanOf(value, null);
}

/** Returns the mean of the known values, with `unknown` for the others, or `null` if there are none. */
function meanOf(value: Value, unknown: number | null): number | null {
  if (value === 'not-applicable') return null;
  if (!isParts(value)) return value ?? unknown;
  const numbers = value.filter(isApplicable).map((part) => meanOf(part, unknown));
  const known = numbers.filter((one) => one !== null);
  return known.length === 0 ? null : exactMean(known);
}

function isParts(value: Value): value is readonly Value[] {
  return Array.isArray(value);
}

function isApplicable(value: Value): boolean {
  return value !== 'not-applicable';
}

function isKnown(value: Value): boolean {
  return isParts(value) ? value.every(isKnown) : value !== null;
}

/**
 * Returns the result of a vote: ADK counts readable samples, with a tie being negative; we need a majority of all
 * samples.
 */
export function voteOf(votes: readonly (number | null)[], ofAll: boolean): 1 | 0 | null {
  const positive = votes.filter((vote) => vote === 1).length;
  const negative = votes.filter((vote) => vote === 0).length;
  if (!ofAll) return positive + negative === 0 ? null : positive > negative ? 1 : 0;
  if (positive > votes.length / 2) return 1;
  return negative >= votes.length / 2 ? 0 : null;
}

/** Converts a value to the score of a criterion. */
export function asScore(value: Value): Score {
  if (isParts(value) && value.length > 0) {
    return { parts: value.map((part, index) => ({ ...asScore(part), id: String(index), kind: 'step' })) };
  }
  if (value === 'not-applicable') return { value: null, missing: 'not-applicable', reason: 'nothing to judge' };
  if (typeof value === 'number') return { value };
  return { value: null, missing: 'could-not-judge', reason: 'the judge gave no opinion' };
}

/**
 * Compares a row with the product in both modes. Names the fewest entries that explain a difference.
 *
 * @param all The entries that may be named.
 * @param model Returns the result of the row given some of the entries: ADK's with none, ours with all of them.
 */
export function explained<Result>(
  all: readonly string[],
  model: (lines: ReadonlySet<string>) => Result,
  { adk, compat, ours }: { readonly adk: Result; readonly compat: Result; readonly ours: Result },
): Held {
  const without = model(new Set());
  if (!isDeepStrictEqual(without, adk)) {
    throw new Error(`without any line the row comes to ${JSON.stringify(without)}, not to ${JSON.stringify(adk)}`);
  }
  const expected = model(new Set(all));
  const lines = subsetsOf(all).find((chosen) => isDeepStrictEqual(model(new Set(chosen)), expected)) ?? [];
  return lines.length === 0 ? { adk, compat, ours } : { adk, compat, ours, lines, expected };
}

/** Returns all subsets, the smallest first. */
function subsetsOf<T>(items: readonly T[]): readonly (readonly T[])[] {
  const choices = Array.from({ length: 2 ** items.length }, (_, bits) =>
    items.filter((_item, index) => (bits >> index) % 2 === 1),
  );
  return choices.toSorted((one, other) => one.length - other.length);
}
