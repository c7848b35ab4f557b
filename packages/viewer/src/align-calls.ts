import type { Evidence, FunctionCall, Score, ToolStep } from '@agent-criteria/core';
import { isObject } from '@agent-criteria/formats';
import { diffArrays } from 'diff';
import { isSameJson } from './json-diff.ts';

/** An expected call aligned with an actual one. A side without a counterpart is `null`. */
export interface CallRow {
  readonly expected: FunctionCall | null;
  readonly made: ToolStep | null;
}

/** Aligned calls, and the criterion's evidence that the alignment was taken from. */
export interface AlignedCalls {
  readonly rows: readonly CallRow[];
  readonly evidence: Evidence | null;
}

/** The maximum number of differences. Calls with more differences are listed one after another instead of aligned. */
const MOST_EDITS = 1000;
/** The maximum number of calls in evidence. Evidence with more calls is ignored. */
const MOST_SHOWN = 500;

/**
 * Aligns the calls of a turn with the expected ones, as a criterion did if its evidence shows it, or else with a diff.
 */
export function alignCalls(
  expected: readonly FunctionCall[],
  made: readonly ToolStep[],
  scores: readonly Score[],
): AlignedCalls {
  for (const evidence of scores.flatMap((score) => score.evidence ?? [])) {
    const rows = evidence.kind === 'diff' ? rowsOf(evidence, expected, made) : null;
    if (rows !== null) return { rows, evidence };
  }
  return { rows: diffRows(expected, made), evidence: null };
}

/** Whether two calls are equal, ignoring argument order. */
export function isSameCall(left: FunctionCall, right: FunctionCall): boolean {
  if (left.name !== right.name) return false;
  try {
    return isSameJson(left.args ?? {}, right.args ?? {});
  } catch {
    // Nested too deeply for the call stack.
    return false;
  }
}

/** Converts a criterion's diff to rows of actual calls. Returns `null` if the diff is about something else. */
function rowsOf(
  { expected: left, actual: right }: Extract<Evidence, { kind: 'diff' }>,
  expected: readonly FunctionCall[],
  made: readonly ToolStep[],
): readonly CallRow[] | null {
  if (!isSide(left) || !isSide(right)) return null;
  const wanted = replaced(left, expected, (call) => call);
  const given = replaced(right, made, ({ call }) => call);
  if (wanted === null || given === null) return null;
  const longer = Math.max(wanted.length, given.length);
  return Array.from({ length: longer }, (_, place) => ({
    expected: wanted[place] ?? null,
    made: given[place] ?? null,
  }));
}

type Side = readonly (FunctionCall | null)[];

function isSide(value: unknown): value is Side {
  return Array.isArray(value) && value.length <= MOST_SHOWN && value.every((item) => item === null || isObject(item));
}

/** Finds the call behind each item of a side. Returns `null` unless items and calls match one to one. */
function replaced<T>(side: Side, all: readonly T[], callOf: (one: T) => FunctionCall): (T | null)[] | null {
  const left = new Set(all);
  const take = (fits: (call: FunctionCall) => boolean) => {
    for (const one of left) {
      if (!fits(callOf(one))) continue;
      left.delete(one);
      return one;
    }
    return undefined;
  };
  const exact = side.map((shown) => (shown === null ? null : take((call) => isSameCall(call, shown))));
  const found = exact.map((one, place) => (one === undefined ? take((call) => call.name === side[place]?.name) : one));
  return left.size === 0 && !found.includes(undefined) ? found.map((one) => one ?? null) : null;
}

function diffRows(expected: readonly FunctionCall[], made: readonly ToolStep[]): readonly CallRow[] {
  const calls = made.map(({ call }) => call);
  const changes = diffArrays([...expected], calls, { comparator: isSameCall, maxEditLength: MOST_EDITS });
  const rows: CallRow[] = [];
  let [next, step] = [0, 0];
  let [gone, come]: [FunctionCall[], ToolStep[]] = [[], []];
  const settle = () => {
    rows.push(...pairByName(gone, come));
    [gone, come] = [[], []];
  };
  for (const { count = 0, added, removed } of changes ?? []) {
    if (!added && !removed) settle();
    for (let each = 0; each < count; each += 1) {
      const [wanted, given] = [added ? null : (expected[next++] ?? null), removed ? null : (made[step++] ?? null)];
      if (wanted && given) rows.push({ expected: wanted, made: given });
      else if (wanted) gone.push(wanted);
      else if (given) come.push(given);
    }
  }
  gone.push(...expected.slice(next));
  come.push(...made.slice(step));
  settle();
  return rows;
}

/** Pairs calls with the same name in order. Paired calls differ in their arguments. */
function pairByName(gone: readonly FunctionCall[], come: readonly ToolStep[]): CallRow[] {
  const rows: CallRow[] = [];
  let next = 0;
  for (const expected of gone) {
    const found = come.findIndex(({ call }, place) => place >= next && call.name === expected.name);
    if (found < 0) {
      rows.push({ expected, made: null });
      continue;
    }
    rows.push(...come.slice(next, found).map((made) => ({ expected: null, made })));
    rows.push({ expected, made: come[found] ?? null });
    next = found + 1;
  }
  return [...rows, ...come.slice(next).map((made) => ({ expected: null, made }))];
}
