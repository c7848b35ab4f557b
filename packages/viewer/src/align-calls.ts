import type { Evidence, FunctionCall, Score, ToolStep } from '@agent-criteria/core';
import { isObject } from '@agent-criteria/formats';
import { diffArrays } from 'diff';
import { isSameJson } from './json-diff.ts';

/** An expected call beside what was done in its place; `null` where there is none. */
export interface CallRow {
  readonly expected: FunctionCall | null;
  readonly made: ToolStep | null;
}

/** Calls laid side by side, and the evidence that says so, if a criterion has looked closer than names and arguments. */
export interface AlignedCalls {
  readonly rows: readonly CallRow[];
  readonly evidence: Evidence | null;
}

/** Lists that differ in more calls than this are shown one after the other. */
const MOST_EDITS = 1000;
/** Evidence of more calls than this is no help in finding them. */
const MOST_SHOWN = 500;

/** The calls of a turn beside the expected ones: as a criterion has aligned them, else by a diff. */
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

/** Whether calls are the same to a reader; the order in which arguments were written means nothing. */
export function isSameCall(left: FunctionCall, right: FunctionCall): boolean {
  if (left.name !== right.name) return false;
  try {
    return isSameJson(left.args ?? {}, right.args ?? {});
  } catch {
    // Nested too deeply for the stack.
    return false;
  }
}

/** The rows of a diff, with the real calls in place of what the diff shows of them; `null` when it is of something else. */
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

/** Each call of a side as the one it shows; `null` unless every one is found, and none is left. */
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

/** Calls of one name in one place are the same call with other arguments. */
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
