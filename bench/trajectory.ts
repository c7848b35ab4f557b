/** Measures the matching of tool trajectories, ours compared with agentevals. */
import type { TrajectoryMatchMode } from 'agentevals';
import { type MatchType, matchTrajectory } from '../packages/criteria-trajectory/dist/match.js';
import { median, type Pass, ratios, rounds, short, spread } from './measure.ts';
import { peers, sizes } from './smallest.ts';
import { printTable } from './table.ts';
import { type Change, makeTrajectory, type ToolCall, type Trajectory } from './trajectories.ts';

interface Case {
  readonly name: string;
  readonly ours: MatchType;
  readonly theirs: TrajectoryMatchMode;
  readonly change: Change;
  /** The expected result for both. */
  readonly matches: boolean;
}

const cases: readonly Case[] = [
  { name: 'EXACT', ours: 'EXACT', theirs: 'strict', change: {}, matches: true },
  { name: 'IN_ORDER, 25 % more', ours: 'IN_ORDER', theirs: 'superset', change: { extra: 0.25 }, matches: true },
  { name: 'ANY_ORDER, shuffled', ours: 'ANY_ORDER', theirs: 'unordered', change: { shuffled: true }, matches: true },
  {
    name: 'ANY_ORDER, shuffled, 25 % more',
    ours: 'ANY_ORDER',
    theirs: 'superset',
    change: { shuffled: true, extra: 0.25 },
    matches: true,
  },
  { name: 'EXACT, last call wrong', ours: 'EXACT', theirs: 'strict', change: { wrongLast: true }, matches: false },
  {
    name: 'ANY_ORDER, shuffled, one wrong',
    ours: 'ANY_ORDER',
    theirs: 'unordered',
    change: { shuffled: true, wrongLast: true },
    matches: false,
  },
];

/** The number of expected calls in one round, and in one pass. */
const callsOfRound = 4000;
const callsOfPass = 500;

/** Extracts the calls from a conversation's messages, as agentevals does first. */
function readCalls(messages: Trajectory['actualMessages']): ToolCall[] {
  return messages.flatMap((message) => {
    const calls = message.role === 'assistant' ? (message.tool_calls ?? []) : [];
    return calls.map((call) => ({ name: call.function.name, args: JSON.parse(call.function.arguments) }));
  });
}

function check(name: string, score: unknown, expected: boolean): void {
  if (Boolean(score) !== expected) throw new Error(`${name} scored ${String(score)}: the two do not do the same work`);
}

const { createTrajectoryMatchEvaluator } = (await peers(() => import('agentevals'))) as Partial<
  typeof import('agentevals')
>;

const rows: string[][] = [];
for (const { name, ours, theirs, change, matches } of cases) {
  const evaluator = createTrajectoryMatchEvaluator?.({ trajectoryMatchMode: theirs, toolArgsMatchMode: 'exact' });
  for (const calls of sizes([5, 50, 500], 5)) {
    let trajectories: readonly Trajectory[] = [];
    const perPass = callsOfPass / calls;
    const pass =
      (work: (trajectory: Trajectory) => unknown): Pass =>
      async (number) => {
        const from = (number * perPass) % trajectories.length;
        for (let index = from; index < from + perPass; index += 1) {
          const result = work(trajectories[index]!);
          if (result instanceof Promise) await result;
        }
      };
    const options = { matchType: ours };
    const times = await rounds(
      {
        ours: pass(({ actual, expected }) => check(name, matchTrajectory(actual, expected, options).score, matches)),
        'ours, from messages': pass(({ actualMessages, expectedMessages }) =>
          check(name, matchTrajectory(readCalls(actualMessages), readCalls(expectedMessages), options).score, matches),
        ),
        ...(evaluator && {
          agentevals: pass(async ({ actualMessages, expectedMessages }) => {
            const input = { outputs: actualMessages, referenceOutputs: expectedMessages };
            check(name, (await evaluator(input)).score, matches);
          }),
        }),
      },
      {
        prepare(round) {
          trajectories = Array.from({ length: callsOfRound / calls }, (_, index) =>
            makeTrajectory(round * callsOfRound + index, calls, change),
          );
        },
      },
    );
    const each = (list: readonly number[]) => short((1000 * median(list)) / callsOfPass);
    const theirTimes: readonly number[] | undefined = times.agentevals;
    rows.push([
      name,
      String(calls),
      each(times.ours),
      each(times['ours, from messages']),
      ...(theirTimes === undefined
        ? ['', '', '']
        : [
            each(theirTimes),
            spread(ratios(theirTimes, times.ours)),
            spread(ratios(theirTimes, times['ours, from messages'])),
          ]),
    ]);
  }
}
printTable(
  'Tool trajectories: us for each expected call, and how many times as long agentevals takes (aim: 10)',
  ['', 'calls', 'ours', 'ours, from messages', 'agentevals', 'times ours', 'times from messages'],
  rows,
);
