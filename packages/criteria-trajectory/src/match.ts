/**
 * Matches tool trajectories. Usable on its own: it takes plain calls and returns a plain result.
 *
 * @module
 */
import { type AlignmentRow, align } from './alignment.ts';
import { type Call, type ComparisonOptions, createComparison, nameOf } from './comparison.ts';
import type { MatchType } from './match-type.ts';
import { isAsExpected } from './order.ts';

export { formatValuePath as formatArgumentPath } from '@agent-criteria/values';
export type { AlignmentRow } from './alignment.ts';
export type { Call, ComparisonOptions } from './comparison.ts';
export type { CallDifference } from './differences.ts';
export { type MatchType, matchTypes, parseMatchType } from './match-type.ts';
export { checkMatchers, type Matcher, type MatcherProblem, type Matchers } from './matchers.ts';
export type { Shape } from './shapes.ts';

export interface MatchOptions extends ComparisonOptions {
  /** How the calls are compared. Default `'EXACT'`. */
  readonly matchType?: MatchType | undefined;
  /** Names of tools that must not be called, even if expected. */
  readonly forbiddenTools?: readonly string[] | undefined;
}

/** The result of matching a trajectory. */
export type TrajectoryMatch =
  | { readonly score: 1 }
  | {
      readonly score: 0;
      /** The actual calls aligned with the expected ones, row by row. */
      readonly alignment: readonly AlignmentRow[];
      /** Indexes of calls to forbidden tools. */
      readonly forbidden: readonly number[];
    };

/**
 * Scores whether an agent made the expected tool calls: 1 or 0, as ADK's `tool_trajectory_avg_score` does for a turn.
 * Names and arguments are compared, ids are not.
 *
 * Without matchers, the time is linear in the size of the calls, for every match type. A trajectory that does not match
 * is also aligned, which takes time proportional to the product of the two lengths, up to a bound.
 *
 * ```ts
 * matchTrajectory([{ name: 'roll_die', args: { sides: 6 } }], [{ name: 'roll_die', args: { sides: 6 } }]).score; // 1
 * ```
 *
 * @throws TypeError if the matchers are invalid (see `checkMatchers`)
 */
export function matchTrajectory(
  actual: readonly Call[],
  expected: readonly Call[],
  options: MatchOptions = {},
): TrajectoryMatch {
  const matchType = options.matchType ?? 'EXACT';
  const comparison = createComparison(options);
  const forbidden = callsTo(options.forbiddenTools ?? [], actual);
  if (forbidden.length === 0 && isAsExpected(expected, actual, matchType, comparison)) return { score: 1 };
  return { score: 0, alignment: align(expected, actual, matchType, comparison), forbidden };
}

function callsTo(tools: readonly string[], calls: readonly Call[]): number[] {
  if (tools.length === 0) return [];
  const names = new Set<string | null>(tools);
  return calls.flatMap((call, index) => (names.has(nameOf(call)) ? [index] : []));
}
