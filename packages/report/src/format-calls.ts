import type { Evidence, FunctionCall, Json, Score } from '@agent-criteria/core';
import { diffArrays } from 'diff';
import { jsonText, sortedJson } from './json-text.ts';
import type { Look } from './look.ts';
import { oneLine } from './terminal.ts';

/** How much is shown of a call, and how many lines of a diff, unless everything is wanted. */
const CALL_SHOWN = 300;
const LINES_SHOWN = 20;
/** Lists that differ in more calls than this are shown one after the other. */
const LONGEST_DIFF = 1000;

/** A call that was expected beside one that was made; `null` where there is none. */
type Row = readonly [expected: FunctionCall | null, made: FunctionCall | null];

/** Calls laid side by side, and the evidence of a criterion that has done it, if one has. */
export interface AlignedCalls {
  readonly rows: readonly Row[];
  readonly evidence: Evidence | null;
}

/**
 * The calls of a turn beside the expected ones: as a criterion has aligned them, which has looked closer, else by a diff.
 *
 * @param whole Take no evidence that shows only part of a call.
 */
export function alignCalls(
  expected: readonly FunctionCall[],
  made: readonly FunctionCall[],
  scores: readonly Score[],
  whole: boolean,
): AlignedCalls {
  const shows = whole ? isSame : (left: FunctionCall, right: FunctionCall) => left.name === right.name;
  for (const evidence of scores.flatMap((score) => score.evidence ?? [])) {
    if (evidence.kind !== 'diff') continue;
    const [left, right] = [callsOf(evidence.expected), callsOf(evidence.actual)];
    if (!left || !right || !areThese(left, expected, shows) || !areThese(right, made, shows)) continue;
    return { rows: left.map((call, index): Row => [call, right[index] ?? null]), evidence };
  }
  return { rows: diffRows(expected, made), evidence: null };
}

/** One call a line: those that are as expected plain, the others as `-` expected and `+` made. */
export function formatRows(rows: readonly Row[], { colors, detailed }: Look): string {
  const shown = (call: FunctionCall) => formatCall(call, detailed);
  const lines = rows.flatMap(([wanted, given]) => {
    if (wanted && given && isSame(wanted, given)) return [`  ${shown(given)}`];
    return [
      ...(wanted ? [colors.red(`- ${shown(wanted)}`)] : []),
      ...(given ? [colors.green(`+ ${shown(given)}`)] : []),
    ];
  });
  if (detailed || lines.length <= LINES_SHOWN) return lines.join('\n');
  const first = Math.max(lines.findIndex((line) => !line.startsWith('  ')) - 3, 0);
  const part = lines.slice(first, first + LINES_SHOWN);
  const before = first > 0 ? [`  … ${first} as expected`] : [];
  const after = lines.length - first - part.length;
  return [...before, ...part, ...(after > 0 ? [`  … ${after} more lines`] : [])].join('\n');
}

export function formatCall(call: FunctionCall, detailed: boolean): string {
  const args = call.args ? jsonText(call.args) : '';
  return oneLine(`${call.name ?? '(no name)'}(${args})`, detailed ? Number.POSITIVE_INFINITY : CALL_SHOWN);
}

/** Whether calls are the same to a reader; the order in which arguments were written means nothing. */
export function isSame(left: FunctionCall, right: FunctionCall): boolean {
  if (left.name !== right.name) return false;
  const args = sortedJson(left.args ?? {});
  return args !== null && args === sortedJson(right.args ?? {});
}

/** The calls and gaps that a side of a diff is; `undefined` when it is anything else. */
function callsOf(side: Json): readonly (FunctionCall | null)[] | undefined {
  const isCall = (item: Json) => typeof item === 'object' && item !== null && !Array.isArray(item);
  if (!Array.isArray(side) || !side.every((item: Json) => item === null || isCall(item))) return undefined;
  return side as (FunctionCall | null)[];
}

/** Whether a side holds these calls, all of them and in any order. */
function areThese(
  side: readonly (FunctionCall | null)[],
  calls: readonly FunctionCall[],
  shows: (left: FunctionCall, right: FunctionCall) => boolean,
): boolean {
  const found = side.filter((call) => call !== null);
  return found.length === calls.length && calls.every((call) => found.some((other) => shows(call, other)));
}

function diffRows(expected: readonly FunctionCall[], made: readonly FunctionCall[]): readonly Row[] {
  const changes = diffArrays([...expected], [...made], { comparator: isSame, maxEditLength: LONGEST_DIFF });
  if (changes === undefined) {
    return [...expected.map((call): Row => [call, null]), ...made.map((call): Row => [null, call])];
  }
  return changes.flatMap(({ value, added, removed }) =>
    value.map((call): Row => [added ? null : call, removed ? null : call]),
  );
}
