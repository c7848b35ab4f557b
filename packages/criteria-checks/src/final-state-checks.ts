import {
  defineCriterion,
  type EvalCase,
  type Evidence,
  type Json,
  type JsonSchema,
  type OptionsSchema,
  optionsSchema,
  type Score,
  type ScorePart,
  type State,
} from '@agent-criteria/core';
import {
  brief,
  each as eachOf,
  equalValues,
  excerpt,
  formatValuePath,
  isBranch,
  isNear,
  parseValuePath,
} from '@agent-criteria/values';
import { checked, each, type Finding, type Issue, issueOf, scoreOf, texts } from './check.ts';
import { origin } from './origin.ts';
import { fitsSchema, schemaIssues } from './user-schema.ts';

/** The options of `final_state_checks`. */
export interface FinalStateChecks {
  readonly has?: State | undefined;
  readonly tolerance?: number | undefined;
  readonly lacks?: string | readonly string[] | undefined;
  readonly jsonSchema?: JsonSchema | undefined;
}

const options: OptionsSchema<FinalStateChecks, FinalStateChecks> = optionsSchema(
  {
    type: 'object',
    properties: {
      has: {
        description: 'By path, as `order.items[0].id`: the value that the state has there.',
        type: 'object',
        additionalProperties: {},
      },
      tolerance: {
        description: 'For `has` and `final_session_state`: how far a number may be from the expected one. Default 0.',
        type: 'number',
        minimum: 0,
      },
      lacks: texts('A path, or a list of paths, where the state has nothing.'),
      jsonSchema: {
        description: 'The whole state fits this JSON Schema (draft 2020-12).',
        type: 'object',
        additionalProperties: {},
      },
    },
  },
  {
    check: ({ has = {}, lacks = [], jsonSchema }) => [
      ...Object.keys(has).flatMap((path) => issueOf(['has', path], () => stepsOf(path))),
      ...[lacks].flat().flatMap((path) => issueOf(['lacks'], () => stepsOf(path))),
      ...(jsonSchema === undefined ? [] : schemaIssues(jsonSchema)).map(
        ({ path, message }): Issue => ({ path: ['jsonSchema', ...path], message }),
      ),
    ],
  },
);

/** `final_state_checks`: the share of checks that hold for the session's state after the last turn. */
export const finalStateChecks = defineCriterion({
  name: 'final_state_checks',
  origin,
  description: 'After the last turn, the state of the session has the expected values.',
  range: { min: 0, max: 1, better: 'higher' },
  options,
  unmetNeed: (evalCase, { has = {}, lacks, jsonSchema }) => {
    const sayNothing = [has, expectedOf(evalCase)].every((one) => Object.keys(one).length === 0);
    if (!sayNothing || lacks !== undefined || jsonSchema !== undefined) return null;
    return 'the case has no final_session_state, and neither it nor the config says what to check, such as "has"';
  },
  readsAnswer: false,
  scope: 'conversation',
  evaluate({ unit, inference }, { options: { has = {}, tolerance = 0, lacks, jsonSchema } }): Score {
    const state = inference.state.final;
    if (state === null) {
      return { value: null, missing: 'could-not-judge', reason: 'the agent does not report the state of its session' };
    }
    const equal = (id: string, path: string, expected: Json | undefined): ScorePart =>
      checked(id, `${path} is ${brief(expected)}`, isAt(state, path, expected, tolerance));
    const expected = Object.entries(expectedOf(unit.case)).map(
      ([key, value]) => [formatValuePath([key]), value] as const,
    );
    const parts = [
      ...expected.map(([path, value]) => equal(`final_session_state.${path}`, path, value)),
      ...Object.entries(has).map(([path, value]) => equal(`has.${path}`, path, value)),
      ...each('lacks', lacks).map(([id, path]) => checked(id, `nothing is at ${path}`, isEmptyAt(state, path))),
      ...(jsonSchema === undefined
        ? []
        : [checked('json_schema', 'the state fits the JSON Schema', fitsSchema(state, jsonSchema, 'the state'))]),
    ];
    return scoreOf(parts, 'nothing is checked');
  },
});

function expectedOf({ finalSessionState }: EvalCase): State {
  return finalSessionState ?? {};
}

function isAt(state: State, path: string, expected: Json | undefined, tolerance: number): Finding {
  const actual = valueAt(state, stepsOf(path));
  const isClose = typeof actual === 'number' && typeof expected === 'number' && isNear(actual, expected, tolerance);
  if (isClose || (actual !== undefined && equalValues(actual, expected, 'json'))) return { holds: true };
  return differs(path, excerpt(expected, { characters: 2_000 }), actual);
}

function isEmptyAt(state: State, path: string): Finding {
  const actual = valueAt(state, stepsOf(path));
  return actual === undefined ? { holds: true } : differs(path, 'nothing', actual);
}

function differs(path: string, expected: Json, actual: unknown): Finding {
  const found = actual === undefined ? 'nothing' : excerpt(actual, { characters: 2_000 });
  const place = `$${path.startsWith('$') ? path.slice(1) : path.startsWith('[') ? path : `.${path}`}`;
  const evidence: Evidence = { kind: 'diff', expected, actual: found, path: place };
  return {
    holds: false,
    reason: `the state has ${actual === undefined ? 'nothing' : brief(actual)} at ${path}`,
    evidence: [evidence],
  };
}

/** Parses a path. @throws Error if the string is not a path to a single value. */
function stepsOf(path: string): readonly (string | number)[] {
  const parsed = parseValuePath(path);
  if ('problem' in parsed) throw new Error(`is not a path into the state: ${parsed.problem}`);
  return parsed.path.map((step) => {
    if (step === eachOf) throw new Error('must lead to one value: write a number instead of [*]');
    return step;
  });
}

/** Returns the value at a path, or `undefined`. Follows own keys only: `__proto__` is a key like any other. */
export function valueAt(value: unknown, path: readonly (string | number)[]): unknown {
  let at = value;
  for (const step of path) {
    if (!isBranch(at) || Array.isArray(at) !== (typeof step === 'number') || !Object.hasOwn(at, step)) return undefined;
    at = (at as Readonly<Record<string | number, unknown>>)[step];
  }
  return at;
}
