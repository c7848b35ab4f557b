import { type OptionsSchema, optionsSchema, type State } from '@agent-criteria/core';
import * as z from 'zod/mini';
import { isObject } from './answer-fields.ts';

/** Which model judges, and how often it is asked. As ADK's `judge_model_options`. */
export interface JudgeModelOptions {
  /** A model by name. Default: the run's judge, which is `gemini-2.5-flash` unless configured otherwise. */
  readonly judgeModel?: string | undefined;
  /** Generation settings, named as in Gemini's `GenerateContentConfig`, in either spelling. Default: the model's own. */
  readonly judgeModelConfig: State;
  /** How many samples a vote has, at least 1. Sampling stops early once no further sample can change the outcome. */
  readonly numSamples: number;
  /** How many calls run at once for one criterion and conversation, at least 1. Default: the run's limit. */
  readonly parallelismLimit?: number | undefined;
}

/** What every judge criterion takes in addition to its own options. */
export interface JudgeOptions {
  readonly judgeModelOptions: JudgeModelOptions;
}

/** `JudgeOptions` as people write them. */
export interface JudgeOptionsInput {
  readonly judgeModelOptions?:
    | {
        readonly judgeModel?: string | undefined;
        readonly judgeModelConfig?: State | null | undefined;
        readonly numSamples?: number | undefined;
        readonly parallelismLimit?: number | undefined;
      }
    | undefined;
}

/**
 * The options of a criterion, combined with those of every judge.
 *
 * @param own Must not contain `judgeModelOptions`.
 * @param numSamples The default number of samples in a vote. Default 5, as in ADK.
 */
export function withJudgeOptions<Input, Output>(
  own: OptionsSchema<Input, Output>,
  numSamples = 5,
): OptionsSchema<Input & JudgeOptionsInput, Output & JudgeOptions> {
  const judge = schemas.get(numSamples) ?? judgeSchema(numSamples);
  schemas.set(numSamples, judge);
  const { properties, ...rest } = own.jsonSchema;
  return {
    jsonSchema: { type: 'object', ...rest, properties: { ...asObject(properties), ...judge.jsonSchema } },
    '~standard': {
      version: 1,
      vendor: 'agent-criteria',
      validate(value) {
        const { judgeModelOptions, ...others } = asObject(value);
        const judged = judge.validate({ judgeModelOptions: judgeModelOptions ?? {} });
        const read = own['~standard'].validate(others);
        if (judged.issues !== undefined || read.issues !== undefined) {
          return { issues: [...(judged.issues ?? []), ...(read.issues ?? [])] };
        }
        return { value: { ...read.value, ...judged.value } };
      },
    },
  };
}

/** By the number of samples. Made when it is imported, one for each criterion would take longer than all the rest. */
const schemas = new Map<number, ReturnType<typeof judgeSchema>>();

function judgeSchema(numSamples: number) {
  // Descriptions for editors and forms.
  const notes = z.registry<{ description: string }>();
  const config = z.record(z.string(), z.json());
  const options = z.object({
    judgeModel: z.optional(z.string().check(z.minLength(1))).register(notes, {
      description: "A model by name. Default: the run's judge, which is gemini-2.5-flash unless configured otherwise.",
    }),
    judgeModelConfig: z._default(z.nullable(config), {}).register(notes, {
      description: "Generation settings, named as in Gemini's GenerateContentConfig, in either spelling.",
    }),
    numSamples: z._default(z.int().check(z.gte(1)), numSamples).register(notes, {
      description: 'How many samples a vote has. Sampling stops early once no further sample can change the outcome.',
    }),
    parallelismLimit: z.optional(z.int().check(z.gte(1))).register(notes, {
      description: "How many calls the criterion may make at once for one conversation. Default: the run's limit.",
    }),
  });
  const schema = z.object({
    judgeModelOptions: z._default(options, z.parse(options, {})).register(notes, {
      description: 'Which model judges, and how often it is asked.',
    }),
  });
  const { '~standard': standard } = optionsSchema(schema, {});
  const { properties } = z.toJSONSchema(schema, {
    io: 'input',
    metadata: notes,
    // Any JSON is described by a reference to a definition that would be missing here.
    override: ({ zodSchema, jsonSchema }) => {
      if (zodSchema === config) jsonSchema.additionalProperties = true;
    },
  });
  return {
    jsonSchema: { ...properties },
    validate(value: unknown): ReturnType<OptionsSchema<unknown, JudgeOptions>['~standard']['validate']> {
      const read = standard.validate(value);
      if (read.issues !== undefined) return read;
      const { judgeModelConfig, ...others } = read.value.judgeModelOptions;
      return { value: { judgeModelOptions: { ...others, judgeModelConfig: (judgeModelConfig ?? {}) as State } } };
    },
  };
}

function asObject(value: unknown): Record<string, unknown> {
  return isObject(value) ? { ...value } : {};
}

/** The judge's name among the models of the run: what a criterion lists in `models` and asks its tools for. */
export function judgeName({ judgeModelOptions }: JudgeOptions): string {
  return judgeModelOptions.judgeModel ?? 'judge';
}
