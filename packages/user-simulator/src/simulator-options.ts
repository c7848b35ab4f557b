import { type OptionsSchema, optionsSchema, type PartialOptions, type State } from '@agent-criteria/core';
import { DEFAULT_STOP_SIGNAL, stopSignalProperty } from './stop-signal.ts';
import { parseTemplate, type Template } from './template.ts';
import { maxAllowedInvocationsProperty } from './turn-limit.ts';

/** The options of `llm_backed`, as in ADK's `LlmBackedUserSimulatorConfig`. */
export interface LlmBackedUserSimulatorOptions {
  /** The name of a model. Default `gemini-2.5-flash`. */
  readonly model: string;
  /**
   * Generation settings, named as in Gemini's `GenerateContentConfig`, in either spelling. Default: for Gemini models,
   * thinking with a budget of 10,240 tokens, as in ADK; for others, the model's own.
   */
  readonly modelConfiguration: State;
  /**
   * The maximum number of user messages, including the starting prompt. A negative number means no limit. Default 20.
   */
  readonly maxAllowedInvocations: number;
  /**
   * A template that replaces the built-in prompt. It must contain `{{ stop_signal }}`, `{{ conversation_plan }}` and
   * `{{ conversation_history }}`, and, for scenarios with a persona, `{{ persona }}`. It is filled in, never executed.
   * Default `null`: the built-in prompt.
   */
  readonly customInstructions: string | null;
  /** Whether the user sees tool calls and their results. Default `false`. */
  readonly includeFunctionCalls: boolean;
  /** The text that ends the conversation if the model answers in plain text. Default `</finished>`. */
  readonly stopSignal?: string | undefined;
}

/** `LlmBackedUserSimulatorOptions` as users write them. */
export interface LlmBackedUserSimulatorInput
  extends PartialOptions<Omit<LlmBackedUserSimulatorOptions, 'modelConfiguration'>> {
  readonly modelConfiguration?: State | null | undefined;
}

/** ADK's default model. */
export const DEFAULT_SIMULATOR_MODEL = 'gemini-2.5-flash';

/** ADK's default settings, for Gemini only. */
const THINKING: State = { thinkingConfig: { includeThoughts: true, thinkingBudget: 10_240 } };

/** The placeholders of a template. */
export const PLACEHOLDERS = ['stop_signal', 'conversation_plan', 'conversation_history', 'persona'] as const;
const REQUIRED = PLACEHOLDERS.filter((name) => name !== 'persona');

/** The template of a custom prompt. */
export function customTemplate(text: string): Template {
  return parseTemplate(text, PLACEHOLDERS);
}

/** Returns the stop signal, or the default one. */
export function stopSignalOf({ stopSignal }: Pick<LlmBackedUserSimulatorOptions, 'stopSignal'>): string {
  return stopSignal ?? DEFAULT_STOP_SIGNAL;
}

const spoken =
  'it configures spoken users (llm_audio), and users are simulated in writing only, because agents are evaluated by text: remove it';

/** The schema for spoken-user keys, which are rejected with a reason. */
const refused = { description: `Refused: ${spoken}.`, not: {}, 'x-messages': { not: spoken } } as const;

function mistakesInTemplate(text: string): readonly string[] {
  const { problems, names } = customTemplate(text);
  const missing = REQUIRED.filter((name) => !names.has(name)).map((name) => `{{ ${name} }}`);
  if (missing.length === 0 || problems.length > 0) return problems;
  return [
    `a template without ${missing.join(' and ')} cannot lead a conversation: add it where the model should read it`,
  ];
}

/** The options of `llm_backed`. */
export const llmBackedOptions = optionsSchema(
  {
    type: 'object',
    properties: {
      model: {
        default: DEFAULT_SIMULATOR_MODEL,
        description: 'A model by name.',
        type: 'string',
        pattern: '\\S',
        'x-messages': { pattern: 'a model needs a name' },
      },
      modelConfiguration: {
        description:
          "Generation settings, named as in Gemini's GenerateContentConfig, in either spelling. Default: thinking with a budget of 10,240 tokens for Gemini models.",
        anyOf: [{ type: 'object', additionalProperties: true }, { type: 'null' }],
      },
      maxAllowedInvocations: maxAllowedInvocationsProperty,
      customInstructions: {
        description:
          'A template that replaces the built-in prompt, with {{ stop_signal }}, {{ conversation_plan }}, {{ conversation_history }} and, for scenarios with a persona, {{ persona }}.',
        type: ['string', 'null'],
      },
      includeFunctionCalls: {
        default: false,
        description: 'The user sees tool calls and their results.',
        type: 'boolean',
      },
      stopSignal: { ...stopSignalProperty, maxLength: 100 },
      audioModel: refused,
      audioModelConfiguration: refused,
      includeTextWithAudio: refused,
    },
  },
  {
    check: ({ customInstructions: text }) =>
      (typeof text === 'string' ? mistakesInTemplate(text) : []).map((message) => ({
        path: ['customInstructions'],
        message,
      })),
    transform: ({
      model,
      modelConfiguration,
      maxAllowedInvocations,
      customInstructions,
      includeFunctionCalls,
      stopSignal,
    }) => ({
      model,
      maxAllowedInvocations,
      includeFunctionCalls,
      modelConfiguration: modelConfiguration ?? defaultSettings(model),
      customInstructions: customInstructions ?? null,
      stopSignal,
    }),
  },
) as OptionsSchema<LlmBackedUserSimulatorInput, LlmBackedUserSimulatorOptions>;

/** Returns Gemini's settings only for Gemini models, because others would reject them. */
function defaultSettings(model: string): State {
  return /^(?:models\/|projects\/.+\/)?gemini-/.test(model) ? THINKING : {};
}
