import {
  defineCriterion,
  didYouMean,
  type Evidence,
  type OptionsSchema,
  optionsSchema,
  type Score,
  type Transcript,
  toolCalls,
} from '@agent-criteria/core';
import { brief, excerpt } from '@agent-criteria/values';
import { checked, each, type Finding, scoreOf, texts, times } from './check.ts';
import { origin } from './origin.ts';

/** The options of `tool_checks`. */
export interface ToolChecks {
  readonly called?: string | readonly string[] | undefined;
  readonly never?: string | readonly string[] | undefined;
  /** The maximum number of calls by tool name; `*` means all tools together. */
  readonly atMost?: Readonly<Record<string, number>> | undefined;
}

const options: OptionsSchema<ToolChecks, ToolChecks> = optionsSchema(
  {
    type: 'object',
    properties: {
      called: texts('This tool was called, or each of these, at least once in the conversation.'),
      never: texts('This tool was not called, nor any of these.'),
      atMost: {
        description: 'By tool name: how often it may be called in the conversation. `*`: all tools together.',
        type: 'object',
        additionalProperties: { type: 'integer', minimum: 0 },
      },
    },
  },
  {
    check: ({ called = [], never = [] }) =>
      [called].flat().flatMap((name) => {
        const message = `${brief(name)} must be called, and must never be called: remove one of the two`;
        return [never].flat().includes(name) ? [{ path: ['called'], message }] : [];
      }),
  },
);

/** `tool_checks`: the share of checks that hold for the tools called in a conversation. */
export const toolChecks = defineCriterion({
  name: 'tool_checks',
  origin,
  description: 'The required tools are called, forbidden ones are not, and none is called too often.',
  range: { min: 0, max: 1, better: 'higher' },
  options,
  unmetNeed: (_case, { called, never, atMost = {} }) =>
    called !== undefined || never !== undefined || Object.keys(atMost).length > 0
      ? null
      : 'neither the config nor the case says what to check, such as "never"',
  readsAnswer: false,
  scope: 'conversation',
  evaluate(transcript, { options: { called, never, atMost = {} } }): Score {
    const made = callsOf(transcript);
    const of = (name: string) => (name === '*' ? made : made.filter((call) => call.name === name));
    const parts = [
      ...each('called', called).map(([id, name]) =>
        checked(id, `calls ${name}`, of(name).length > 0 ? { holds: true } : neverMade(name, made)),
      ),
      ...each('never', never).map(([id, name]) => checked(id, `never calls ${name}`, atMostOf(name, 0, of(name)))),
      ...Object.entries(atMost).map(([name, most]) =>
        checked(
          `at_most.${name}`,
          most === 0 ? `never calls ${toolIn(name)}` : `calls ${toolIn(name)} at most ${times(most)}`,
          atMostOf(name, most, of(name)),
        ),
      ),
    ];
    return scoreOf(parts, 'nothing is checked');
  },
});

interface Call {
  readonly name: string;
  readonly args: unknown;
  /** The call's position, such as "call 2 of turn 1". */
  readonly place: string;
}

function callsOf({ turns }: Transcript): readonly Call[] {
  const judged = turns.filter(({ isHistory }) => isHistory !== true);
  return judged.flatMap(({ index, actual }) =>
    toolCalls(actual).map(({ name, args }, place) => ({
      name: name ?? '',
      args: args ?? {},
      place: `call ${place + 1} of turn ${index + 1}`,
    })),
  );
}

function neverMade(name: string, made: readonly Call[]): Finding {
  const others = [...new Set(made.map((call) => call.name))];
  const hint = didYouMean(name, others);
  return {
    holds: false,
    reason: `${name} was never called${hint}`,
    evidence: [{ kind: 'diff', expected: `a call of ${toolIn(name)}`, actual: callsText(others) }],
  };
}

function atMostOf(name: string, most: number, calls: readonly Call[]): Finding {
  const first = calls[most];
  if (first === undefined) return { holds: true };
  const evidence: Evidence[] = [
    { kind: 'diff', expected: { [name]: times(most) }, actual: { [name]: times(calls.length) } },
    { kind: 'json', label: `${first.place}, ${first.name}`, value: excerpt(first.args, { characters: 2_000 }) },
  ];
  const made = `${toolIn(name)} ${name === '*' ? 'were' : 'was'} called ${times(calls.length)}`;
  const reason = most === 0 ? `${made}, first in ${first.place}` : `${made}; the first too many is ${first.place}`;
  return { holds: false, reason, evidence };
}

function callsText(names: readonly string[]): string {
  const [last, ...others] = [...names].reverse();
  if (last === undefined) return 'no call';
  return `calls of ${others.length === 0 ? last : `${others.reverse().join(', ')} and ${last}`} only`;
}

function toolIn(name: string): string {
  return name === '*' ? 'tools' : name;
}
