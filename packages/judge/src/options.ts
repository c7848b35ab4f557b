import { type OptionsSchema, optionsSchema, type PartialOptions, type State } from '@agent-criteria/core';
import { isObject } from './answer-fields.ts';

/** The judge's model and its number of samples: ADK's `judge_model_options`. */
export interface JudgeModelOptions {
  /** A model by name. Default: the run's judge, which is `gemini-2.5-flash` unless configured otherwise. */
  readonly judgeModel?: string | undefined;
  /**
   * Generation settings with the names from Gemini's `GenerateContentConfig`, in either spelling. Default: the model's
   * own.
   */
  readonly judgeModelConfig: State;
  /** The number of samples in a vote, at least 1. Outside compat mode, sampling stops once the outcome is certain. */
  readonly numSamples: number;
  /** The maximum number of calls in flight per criterion and conversation, at least 1. Default: the run's limit. */
  readonly parallelismLimit?: number | undefined;
}

/** The options of every judge criterion, in addition to its own. */
export interface JudgeOptions {
  readonly judgeModelOptions: JudgeModelOptions;
}

/** `JudgeOptions` in the form that users write. */
export interface JudgeOptionsInput {
  readonly judgeModelOptions?:
    | (PartialOptions<Omit<JudgeModelOptions, 'judgeModelConfig'>> & {
        readonly judgeModelConfig?: State | null | undefined;
      })
    | undefined;
}

/**
 * Combines a criterion's options with those of every judge.
 *
 * @param own Must not contain `judgeModelOptions`.
 * @param numSamples The default number of samples in a vote. Default 5, as in ADK.
 */
export function withJudgeOptions<Input, Output>(
  own: OptionsSchema<Input, Output>,
  numSamples = 5,
): OptionsSchema<Input & JudgeOptionsInput, Output & JudgeOptions> {
  const judge = judgeSchema(numSamples);
  const [properties, judged] = [own.jsonSchema.properties, judge.jsonSchema.properties];
  return {
    jsonSchema: { type: 'object', ...own.jsonSchema, properties: { ...asObject(properties), ...asObject(judged) } },
    '~standard': {
      version: 1,
      vendor: 'agent-criteria',
      validate(value) {
        const { judgeModelOptions, ...others } = asObject(value);
        const judged = judge['~standard'].validate({ judgeModelOptions: judgeModelOptions ?? {} });
        const read = own['~standard'].validate(others);
        if (judged.issues !== undefined || read.issues !== undefined) {
          return { issues: [...(judged.issues ?? []), ...(read.issues ?? [])] };
        }
        return { value: { ...read.value, ...judged.value } };
      },
    },
  };
}

function judgeSchema(numSamples: number): OptionsSchema<JudgeOptionsInput, JudgeOptions> {
  const count = { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER } as const;
  return optionsSchema(
    {
      type: 'object',
      properties: {
        judgeModelOptions: {
          default: { judgeModelConfig: {}, numSamples },
          description: 'Which model judges, and how often it is asked.',
          type: 'object',
          properties: {
            judgeModel: {
              description:
                "A model by name. Default: the run's judge, which is gemini-2.5-flash unless configured otherwise.",
              type: 'string',
              minLength: 1,
            },
            judgeModelConfig: {
              default: {},
              description: "Generation settings, named as in Gemini's GenerateContentConfig, in either spelling.",
              anyOf: [{ type: 'object', additionalProperties: true }, { type: 'null' }],
            },
            numSamples: {
              default: numSamples,
              description:
                'How many samples a vote has. Sampling stops early once no further sample can change the outcome.',
              ...count,
            },
            parallelismLimit: {
              description:
                "How many calls the criterion may make at once for one conversation. Default: the run's limit.",
              ...count,
            },
          },
        },
      },
    },
    {
      transform: ({ judgeModelOptions: { judgeModelConfig, ...others } }) => ({
        judgeModelOptions: { ...others, judgeModelConfig: judgeModelConfig ?? {} },
      }),
    },
  );
}

function asObject(value: unknown): Record<string, unknown> {
  return isObject(value) ? { ...value } : {};
}

/** Returns the judge's name among the run's models, for a criterion's `models` and `tools.model`. */
export function judgeName({ judgeModelOptions }: JudgeOptions): string {
  return judgeModelOptions.judgeModel ?? 'judge';
}
