import { isDeepStrictEqual } from 'node:util';
import { type Criterion, exactMean, type Score } from '@agent-criteria/core';
import { sumMean } from '@agent-criteria/core/host';
import type { Held } from './held.ts';

// What a row comes to if ADK did what a line of docs/adk-parity.md says: with no line ADK's own result, with all of them
// ours. Written from design and golden rows alone, so that it can disagree with core.

export type Status = 'PASSED' | 'FAILED' | 'NOT_EVALUATED';

/** A number, an unknown, what does not apply, or the mean of others. */
export type Value = number | null | 'not-applicable' | readonly Value[];

export interface Outcome {
  readonly score: number | null;
  readonly status: Status;
}

export interface Conversation {
  readonly turns: readonly Value[];
  readonly threshold: number;
  /** As the criterion declares it. */
  readonly adk: Criterion['adk'];
  /** The best that an unknown can come to. Default 1. */
  readonly best?: number;
}

/** What a conversation comes to as these lines of core and of rubric criteria say; lines of others are passed over. */
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
  // Coverage below 1 never passes; it fails where the best that the unknown could be would fail.
  const known = values.map((value) => meanOf(value, best) ?? best);
  // It is not known how many parts a turn without any had: pooled, it may be all the 10,000 that a score may have.
  const lost = pooled ? turns.filter((turn) => turn === null).length * 9_999 : 0;
  const highest = mean([...known, ...Array<number>(lost).fill(best)]);
  return { score, status: reaches(highest) ? 'NOT_EVALUATED' : 'FAILED' };
}

/** The value of a turn alone. */
export function shownOf(value: Value): number | null {
  return value === 'not-applicable' ? null : meanOf(value, null);
}

/** The mean of what is known, with `unknown` for the rest; `null` for none. */
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

/** A vote: ADK counts what is readable and takes a tie for negative; a line wants a majority of all samples. */
export function voteOf(votes: readonly (number | null)[], ofAll: boolean): 1 | 0 | null {
  const positive = votes.filter((vote) => vote === 1).length;
  const negative = votes.filter((vote) => vote === 0).length;
  if (!ofAll) return positive + negative === 0 ? null : positive > negative ? 1 : 0;
  if (positive > votes.length / 2) return 1;
  return negative >= votes.length / 2 ? 0 : null;
}

/** A value as a criterion would give it. */
export function asScore(value: Value): Score {
  if (isParts(value) && value.length > 0) {
    return { parts: value.map((part, index) => ({ ...asScore(part), id: String(index), kind: 'step' })) };
  }
  if (value === 'not-applicable') return { value: null, missing: 'not-applicable', reason: 'nothing to judge' };
  if (typeof value === 'number') return { value };
  return { value: null, missing: 'could-not-judge', reason: 'the judge gave no opinion' };
}

/**
 * Holds a row against the product in both modes. Where the lines make a difference, the fewest that make it are named.
 *
 * @param all The lines that may.
 * @param model What the row comes to as some of them say; with none it must be ADK's, with all of them ours.
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

/** All choices of these, the smallest first. */
function subsetsOf<T>(items: readonly T[]): readonly (readonly T[])[] {
  const choices = Array.from({ length: 2 ** items.length }, (_, bits) =>
    items.filter((_item, index) => (bits >> index) % 2 === 1),
  );
  return choices.toSorted((one, other) => one.length - other.length);
}
