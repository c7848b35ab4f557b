import { type OptionsSchema, optionsSchema, type PartialOptions } from '@agent-criteria/core';
import { type MatchType, matchTypes, parseMatchType } from './match-type.ts';
import { checkMatchers, type Matchers } from './matchers.ts';
import { shapes } from './shapes.ts';

/** The options of `tool_trajectory_avg_score`. */
export interface TrajectoryOptions {
  /** How the actual calls are compared with the expected ones. Default `'EXACT'`. */
  readonly matchType: MatchType;
  /** Whether to compare only the names of tools. Default `false`. */
  readonly ignoreArgs: boolean;
  /** The values to accept besides equal arguments, by tool and argument path. Default: none. */
  readonly matchers: Matchers;
  /** Tools that must not be called. Default: none. */
  readonly forbiddenTools: readonly string[];
  /**
   * Whether calls by an agent that a tool runs, such as ADK's `AgentTool`, are compared too. Default `false`, as in ADK.
   */
  readonly includeNestedCalls?: boolean | undefined;
  /**
   * Whether calls that the service of a model makes itself, such as `google_search`, are compared too. Default `false`, as
   * in ADK.
   */
  readonly includeServerSideCalls?: boolean | undefined;
}

/**
 * `TrajectoryOptions` as users write them. JSON files may spell a match type in any way that ADK accepts: see
 * `parseMatchType`.
 */
export interface TrajectoryInput extends PartialOptions<Omit<TrajectoryOptions, 'matchType'>> {
  readonly matchType?: MatchType | 0 | 1 | 2 | undefined;
}

const matcher = {
  type: 'object',
  properties: {
    ignore: { type: 'boolean', const: true, description: 'Accepts anything, even if one side has no value.' },
    partial: {
      type: 'boolean',
      const: true,
      description: 'Objects at this level and below may have extra keys. Lists must have the same length.',
    },
    oneOf: { minItems: 1, type: 'array', items: {}, description: 'Accepts any of these values.' },
    pattern: {
      type: 'string',
      description: 'Accepts a string that matches this regular expression completely. Syntax: RE2.',
    },
    tolerance: {
      type: 'number',
      minimum: 0,
      description: 'Accepts a number at most this far from the expected one.',
    },
    shape: { type: 'string', enum: shapes, description: 'Accepts an ISO 8601 date or date-time, or a UUID.' },
  },
  additionalProperties: false,
  description: 'What to accept besides a value that equals the expected one. Exactly one key.',
} as const;

const notAMatchType = `must be ${matchTypes.slice(0, -1).join(', ')} or ${matchTypes.at(-1)}`;

/** The options of `tool_trajectory_avg_score`. */
export const trajectoryOptions = optionsSchema(
  {
    type: 'object',
    properties: {
      matchType: {
        description:
          'How the actual calls are compared with the expected ones. EXACT: the same calls in the same order, no others. ' +
          'IN_ORDER: all of them in this order, others may come between. ANY_ORDER: all of them, in any order.',
        anyOf: [
          { enum: matchTypes },
          { type: 'string' },
          { type: 'integer', minimum: 0, maximum: 2 },
          { type: 'boolean' },
        ],
        'x-messages': { anyOf: notAMatchType },
        default: 'EXACT',
      },
      ignoreArgs: { default: false, type: 'boolean', description: 'Compare the names of tools only.' },
      matchers: {
        default: {},
        type: 'object',
        additionalProperties: { type: 'object', additionalProperties: matcher },
        description:
          'What to accept besides equal arguments, by tool name ("*": every tool) and argument path ' +
          '(date, filter.from, items[*].id, $ for all arguments).',
      },
      forbiddenTools: {
        default: [],
        type: 'array',
        items: { type: 'string', minLength: 1 },
        description: 'Tools that must not be called.',
      },
      includeNestedCalls: {
        type: 'boolean',
        description:
          'Compare the calls of an agent that a tool runs too (ADK: AgentTool), each after the call of that tool. ' +
          'They are read from the trace. Default false, as in ADK.',
      },
      includeServerSideCalls: {
        type: 'boolean',
        description:
          'Compare the calls that the service of a model makes itself too: google_search and retrieval with their ' +
          'queries, url_context, code_execution. Default false, as in ADK.',
      },
    },
    additionalProperties: false,
  },
  {
    check({ matchType, ignoreArgs, matchers }) {
      const issues = checkMatchers(matchers).map(({ path, message }) => ({ path: ['matchers', ...path], message }));
      if (parseMatchType(matchType) === null) {
        issues.unshift({ path: ['matchType'], message: notAMatchType });
      }
      if (ignoreArgs && Object.keys(matchers).length > 0) {
        const message = 'has no effect together with ignore_args, which compares no arguments; remove one of the two';
        issues.push({ path: ['matchers'], message });
      }
      return issues;
    },
    transform: (options): TrajectoryOptions => ({
      ...options,
      matchType: parseMatchType(options.matchType) ?? 'EXACT',
    }),
  },
) as OptionsSchema<TrajectoryInput, TrajectoryOptions>;
