import { type OptionsSchema, optionsSchema } from '@agent-criteria/core';
import * as z from 'zod/mini';
import { type MatchType, matchTypes, parseMatchType } from './match-type.ts';
import { checkMatchers, type Matchers } from './matchers.ts';
import { shapes } from './shapes.ts';

/** What users write. JSON files may spell a match type in every way that ADK reads: see `parseMatchType`. */
export interface TrajectoryInput {
  /** How the actual calls are compared with the expected ones. Default `'EXACT'`. */
  readonly matchType?: MatchType | 0 | 1 | 2 | undefined;
  /** Compare the names of tools only. Default false. */
  readonly ignoreArgs?: boolean | undefined;
  /** What to accept besides equal arguments, by tool and argument path. Default: nothing. */
  readonly matchers?: Matchers | undefined;
  /** Tools that must not be called. Default: none. */
  readonly forbiddenTools?: readonly string[] | undefined;
}

/** The options as the criterion reads them: complete. */
export interface TrajectoryOptions {
  readonly matchType: MatchType;
  readonly ignoreArgs: boolean;
  readonly matchers: Matchers;
  readonly forbiddenTools: readonly string[];
}

/** What editors and forms are told beside types. */
const notes = z.registry<{ description: string; anyOf?: readonly unknown[] }>();

const matchType = z
  .pipe(
    z.custom<NonNullable<TrajectoryInput['matchType']>>(
      (value) => parseMatchType(value) !== null,
      `must be ${matchTypes.slice(0, -1).join(', ')} or ${matchTypes.at(-1)}`,
    ),
    z.transform((value): MatchType => parseMatchType(value) ?? 'EXACT'),
  )
  .register(notes, {
    description:
      'How the actual calls are compared with the expected ones. EXACT: the same calls in the same order, no others. ' +
      'IN_ORDER: all of them in this order, others may come between. ANY_ORDER: all of them, in any order.',
    anyOf: [{ enum: matchTypes }, { type: 'string' }, { type: 'integer', minimum: 0, maximum: 2 }, { type: 'boolean' }],
  });

const matcher = z
  .strictObject({
    ignore: z.exactOptional(
      z.literal(true).register(notes, { description: 'Accepts anything, even if one side has no value.' }),
    ),
    partial: z.exactOptional(
      z.literal(true).register(notes, {
        description: 'Objects at this level and below may have extra keys. Lists must have the same length.',
      }),
    ),
    oneOf: z.exactOptional(
      z.array(z.unknown()).check(z.minLength(1)).register(notes, { description: 'Accepts any of these values.' }),
    ),
    pattern: z.exactOptional(
      z.string().register(notes, {
        description: 'Accepts a string that matches this regular expression completely. Syntax: RE2.',
      }),
    ),
    tolerance: z.exactOptional(
      z.number().check(z.minimum(0)).register(notes, {
        description: 'Accepts a number at most this far from the expected one.',
      }),
    ),
    shape: z.exactOptional(
      z.enum(shapes).register(notes, { description: 'Accepts an ISO 8601 date or date-time, or a UUID.' }),
    ),
  })
  .register(notes, { description: 'What to accept besides a value that equals the expected one. Exactly one key.' });

const schema = z
  .strictObject({
    matchType: z._default(matchType, 'EXACT'),
    ignoreArgs: z._default(z.boolean().register(notes, { description: 'Compare the names of tools only.' }), false),
    matchers: z._default(
      z
        .record(z.string(), z.record(z.string(), matcher))
        .check(({ value, issues }) => {
          if (issues.length > 0) return;
          for (const problem of checkMatchers(value)) {
            issues.push({ code: 'custom', input: value, path: [...problem.path], message: problem.message });
          }
        })
        .register(notes, {
          description:
            'What to accept besides equal arguments, by tool name ("*": every tool) and argument path ' +
            '(date, filter.from, items[*].id, $ for all arguments).',
        }),
      {},
    ),
    forbiddenTools: z._default(
      z.array(z.string().check(z.minLength(1))).register(notes, { description: 'Tools that must not be called.' }),
      [],
    ),
  })
  .check(({ value, issues }) => {
    if (!value.ignoreArgs || Object.keys(value.matchers).length === 0) return;
    const message = 'has no effect together with ignore_args, which compares no arguments; remove one of the two';
    issues.push({ code: 'custom', input: value, path: ['matchers'], message });
  });

const jsonSchema = z.toJSONSchema(schema, {
  io: 'input',
  unrepresentable: 'any',
  metadata: notes,
  // zod shows no default of what it transforms.
  override: ({ zodSchema, jsonSchema }) => {
    if (zodSchema === matchType) jsonSchema.default = 'EXACT';
  },
});

/** The options of `tool_trajectory_avg_score`. */
export const trajectoryOptions: OptionsSchema<TrajectoryInput, TrajectoryOptions> = optionsSchema<
  TrajectoryInput,
  TrajectoryOptions
>(schema, jsonSchema);
