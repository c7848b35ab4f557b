import {
  defineCriterion,
  type Evidence,
  exactMean,
  type FunctionCall,
  noOptions,
  pythonTransfer,
  type Score,
  toolCalls,
} from '@agent-criteria/core';
import {
  type Budget,
  brief,
  type Equality,
  equalValues,
  excerpt,
  formatSteps,
  presentKeys,
} from '@agent-criteria/values';
import manifest from '../package.json' with { type: 'json' };
import { nameOf } from './comparison.ts';

/**
 * `tool_parameter_match`: the share of the expected arguments that the agent's calls contain, call by call.
 *
 * Each expected call is looked up by name, in order, starting after the last match. Calls and arguments that are not
 * expected have no effect. Needs expected turns; a turn that lists no calls is not applicable.
 */
export const toolParameterMatch = defineCriterion({
  name: 'tool_parameter_match',
  origin: { package: manifest.name, version: manifest.version },
  description: 'The expected tool calls have the expected values; other calls and arguments are ignored.',
  decides: true,
  range: { min: 0, max: 1, better: 'higher' },
  needs: { reference: 'tools' },
  options: noOptions,
  adk: { mean: 'sum', missing: 'dropped' },
  scope: 'turn',
  evaluate(turn, { tools: { compat } }): Score {
    if (turn.expected === null) return notApplicable('The case does not describe this turn.');
    if (turn.callsNotStated === true) {
      return notApplicable('The case does not state which calls this turn expects.');
    }
    const spelt = (call: FunctionCall) => (compat === null ? pythonTransfer(call) : call);
    const expected = toolCalls(turn.expected).map(spelt);
    if (expected.length === 0) return notApplicable('The case expects no tool call in this turn.');
    const rows = pairedByName(expected, toolCalls(turn.actual).map(spelt), compat === 'adk' ? 'python' : 'json');
    const shares = rows.map(({ share }) => share);
    // ADK's mean is a running sum that is divided once.
    const mean = compat === 'adk' ? shares.reduce((sum, share) => sum + share, 0) / shares.length : exactMean(shares);
    return shares.every((share) => share === 1) ? { value: mean } : { value: mean, ...explain(rows) };
  },
});

function notApplicable(reason: string): Score {
  return { value: null, missing: 'not-applicable', reason };
}

/** An expected call and the actual call found for it. */
interface Row {
  readonly expected: FunctionCall;
  /** The actual call, or `null` if no later call has this name. */
  readonly actual: FunctionCall | null;
  /** The names of the expected arguments that are missing or have a different value. */
  readonly differing: readonly string[];
  /** The share of the expected arguments that match. */
  readonly share: number;
}

function pairedByName(expected: readonly FunctionCall[], actual: readonly FunctionCall[], equality: Equality): Row[] {
  let next = 0;
  return expected.map((wanted): Row => {
    const place = actual.findIndex((call, index) => index >= next && nameOf(call) === nameOf(wanted));
    const found = actual[place];
    if (found === undefined) return { expected: wanted, actual: null, differing: [], share: 0 };
    next = place + 1;
    const args = wanted.args ?? {};
    const names = presentKeys(args);
    const differing = names.filter((name) => {
      const value = argumentOf(found, name);
      return value === undefined || !equalValues(args[name], value, equality);
    });
    const share = names.length === 0 ? 1 : (names.length - differing.length) / names.length;
    return { expected: wanted, actual: found, differing, share };
  });
}

/**
 * Returns an argument, or `undefined` if the call does not have it, even if it is named like a method of every object.
 */
function argumentOf({ args }: FunctionCall, name: string): unknown {
  return args && Object.hasOwn(args, name) ? args[name] : undefined;
}

const MOST_ROWS = 100;
const CHARACTERS = 50_000;

function explain(rows: readonly Row[]): { reason: string; evidence: Evidence[] } {
  const faults = rows.filter(({ share }) => share < 1);
  const first = rows.findIndex(({ share }) => share < 1);
  const { expected, actual, differing } = rows[first]!;
  const tool = brief(nameOf(expected)).replace(/^"(.*)"$/, '$1');
  const place = `The expected call ${first + 1}, ${tool},`;
  const [name] = differing;
  const others = faults.length === 1 ? '' : `; ${faults.length - 1} more of ${rows.length} calls are not as expected`;
  const start = Math.max(0, Math.min(first, rows.length - MOST_ROWS));
  const shown = rows.slice(start, start + MOST_ROWS);
  const steps = actual === null || name === undefined ? '' : `.args${formatSteps([name])}`;
  return {
    reason:
      actual === null || name === undefined
        ? `${place} was not made${others}.`
        : `${place} has ${shownValue(argumentOf(actual, name))} instead of ${shownValue(expected.args?.[name])} at ${formatSteps([name]).replace(/^\./, '')}${others}.`,
    evidence: [
      {
        kind: 'diff',
        expected: excerpts(shown.map((row) => ({ name: row.expected.name ?? null, args: row.expected.args ?? {} }))),
        actual: excerpts(shown.map((row) => (row.actual === null ? null : comparedPart(row.actual, row.expected)))),
        path: `$[${first - start}]${steps}`,
      },
    ],
  };
}

function excerpts(side: readonly unknown[]) {
  const budget: Budget = { characters: CHARACTERS };
  return side.map((call) => excerpt(call, budget));
}

/** Returns the call without the arguments that are not compared. */
function comparedPart(actual: FunctionCall, expected: FunctionCall) {
  const names = presentKeys(expected.args ?? {}).filter((name) => argumentOf(actual, name) !== undefined);
  return { name: actual.name ?? null, args: Object.fromEntries(names.map((name) => [name, argumentOf(actual, name)])) };
}

function shownValue(value: unknown): string {
  return value === undefined ? 'nothing' : brief(value);
}
