import { type OptionsSchema, optionsSchema, type State } from '@agent-criteria/core';
import * as z from 'zod/mini';
import { DEFAULT_STOP_SIGNAL, stopSignalDescription, stopSignalSchema } from './stop-signal.ts';
import { parseTemplate, type Template } from './template.ts';
import { maxAllowedInvocationsDescription, maxAllowedInvocationsSchema } from './turn-limit.ts';

/** The options of `llm_backed`, as in ADK's `LlmBackedUserSimulatorConfig`; keys in either spelling. */
export interface LlmBackedUserSimulatorInput {
  /** A model by name. Default `gemini-2.5-flash`. */
  readonly model?: string | undefined;
  /**
   * Generation settings, named as in Gemini's `GenerateContentConfig`, in either spelling. Default: for Gemini models,
   * thinking with a budget of 10,240 tokens, as in ADK; for others, the model's own.
   */
  readonly modelConfiguration?: State | null | undefined;
  /** The most messages the user sends, starting prompt included. Negative: no limit. Default 20. */
  readonly maxAllowedInvocations?: number | undefined;
  /**
   * A template that replaces the built-in prompt. It must contain `{{ stop_signal }}`, `{{ conversation_plan }}` and
   * `{{ conversation_history }}`, and for scenarios with a persona `{{ persona }}`. It is filled in, never executed.
   */
  readonly customInstructions?: string | null | undefined;
  /** Whether the user sees tool calls and their results. Default `false`. */
  readonly includeFunctionCalls?: boolean | undefined;
  /** What ends the conversation if the model answers in plain text. Default `</finished>`. */
  readonly stopSignal?: string | undefined;
}

/** `LlmBackedUserSimulatorInput`, complete. */
export interface LlmBackedUserSimulatorOptions {
  readonly model: string;
  readonly modelConfiguration: State;
  readonly maxAllowedInvocations: number;
  /** `null`: the built-in prompt. */
  readonly customInstructions: string | null;
  readonly includeFunctionCalls: boolean;
  /** `undefined` means `</finished>`. */
  readonly stopSignal?: string | undefined;
}

/** ADK's. */
export const DEFAULT_SIMULATOR_MODEL = 'gemini-2.5-flash';

/** ADK's, in Gemini's terms. */
const THINKING: State = { thinkingConfig: { includeThoughts: true, thinkingBudget: 10_240 } };

/** The placeholders of a template. */
export const PLACEHOLDERS = ['stop_signal', 'conversation_plan', 'conversation_history', 'persona'] as const;
const REQUIRED = PLACEHOLDERS.filter((name) => name !== 'persona');

/** The template of a custom prompt. */
export function customTemplate(text: string): Template {
  return parseTemplate(text, PLACEHOLDERS);
}

/** The word that ends a conversation in plain text. */
export function stopSignalOf({ stopSignal }: Pick<LlmBackedUserSimulatorOptions, 'stopSignal'>): string {
  return stopSignal ?? DEFAULT_STOP_SIGNAL;
}

/** Descriptions for editors and forms. */
const notes = z.registry<{ description: string }>();

const spoken =
  'it configures spoken users (llm_audio), and users are simulated in writing only, because agents are evaluated by text: remove it';

/** Recognised, so that its refusal can give the reason. */
function refused() {
  const never = z.optional(z.any().check(z.refine((value) => value === undefined, spoken)));
  return never.register(notes, { description: `Refused: ${spoken}.` });
}

const template = z.string().check((context) => {
  const { problems, names } = customTemplate(context.value);
  const missing = REQUIRED.filter((name) => !names.has(name)).map((name) => `{{ ${name} }}`);
  const lacks =
    missing.length === 0 || problems.length > 0
      ? []
      : [
          `a template without ${missing.join(' and ')} cannot lead a conversation: add it where the model should read it`,
        ];
  for (const message of [...problems, ...lacks]) context.issues.push({ code: 'custom', message, input: context.value });
});

const config = z.record(z.string(), z.json());

const schema = z.object({
  model: z._default(z.string().check(z.regex(/\S/, 'a model needs a name')), DEFAULT_SIMULATOR_MODEL).register(notes, {
    description: 'A model by name.',
  }),
  modelConfiguration: z.optional(z.nullable(config)).register(notes, {
    description:
      "Generation settings, named as in Gemini's GenerateContentConfig, in either spelling. Default: thinking with a budget of 10,240 tokens for Gemini models.",
  }),
  maxAllowedInvocations: z
    .clone(maxAllowedInvocationsSchema)
    .register(notes, { description: maxAllowedInvocationsDescription }),
  customInstructions: z.optional(z.nullable(template)).register(notes, {
    description:
      'A template that replaces the built-in prompt, with {{ stop_signal }}, {{ conversation_plan }}, {{ conversation_history }} and, for scenarios with a persona, {{ persona }}.',
  }),
  includeFunctionCalls: z._default(z.boolean(), false).register(notes, {
    description: 'The user sees tool calls and their results.',
  }),
  stopSignal: z.clone(stopSignalSchema).register(notes, { description: stopSignalDescription }),
  audioModel: refused(),
  audioModelConfiguration: refused(),
  includeTextWithAudio: refused(),
});

const written = optionsSchema(
  schema,
  z.toJSONSchema(schema, {
    io: 'input',
    metadata: notes,
    // Any JSON is described by a reference to a definition that would be missing here.
    override: ({ zodSchema, jsonSchema }) => {
      if (zodSchema === config) jsonSchema.additionalProperties = true;
    },
  }),
);
const { $defs: _definitions, ...jsonSchema } = written.jsonSchema;

/** The options of `llm_backed`. */
export const llmBackedOptions: OptionsSchema<LlmBackedUserSimulatorInput, LlmBackedUserSimulatorOptions> = {
  jsonSchema,
  '~standard': {
    version: 1,
    vendor: 'agent-criteria',
    validate(value) {
      const read = written['~standard'].validate(value);
      if (read.issues !== undefined) return read;
      const { model, maxAllowedInvocations, includeFunctionCalls, stopSignal } = read.value;
      return {
        value: {
          model,
          maxAllowedInvocations,
          includeFunctionCalls,
          modelConfiguration: (read.value.modelConfiguration as State | null | undefined) ?? defaultSettings(model),
          customInstructions: read.value.customInstructions ?? null,
          stopSignal,
        },
      };
    },
  },
};

/** Other models would refuse settings that only Gemini has. */
function defaultSettings(model: string): State {
  return /^(?:models\/|projects\/.+\/)?gemini-/.test(model) ? THINKING : {};
}
