import {
  CriteriaError,
  contentText,
  type LanguageModel,
  type ModelAnswer,
  type ModelRequest,
  type State,
} from '@agent-criteria/core';
import { readSettings } from './settings.ts';
import type { AiSdkCall, AiSdkMessage, AiSdkModel, AiSdkResult } from './specification.ts';

export interface FromAiSdkOptions {
  /**
   * The name under which opinions are recorded. Default: provider and model, such as
   * `anthropic.messages/claude-sonnet-4-5`.
   */
  readonly id?: string | undefined;
  /** Called once for each different warning, such as an unsupported seed. Default `process.emitWarning`. */
  readonly onWarning?: ((message: string) => void) | undefined;
}

const versions: ReadonlySet<unknown> = new Set(['v2', 'v3', 'v4']);

/**
 * Wraps an AI SDK model (`ai` 5, 6 or 7), such as `anthropic('claude-sonnet-4-5')`. Each call is a single `doGenerate`,
 * without retries. The SDK's errors are rethrown unchanged; an aborted call rejects with the signal's reason.
 *
 * @throws CriteriaError INVALID_OPTION if the value is not such a model.
 */
export function fromAiSdk(model: AiSdkModel, options: FromAiSdkOptions = {}): LanguageModel {
  if (!versions.has(model?.specificationVersion) || typeof model.doGenerate !== 'function') {
    const message = 'fromAiSdk takes a language model of the AI SDK 5, 6 or 7, such as anthropic("claude-sonnet-4-5")';
    throw new CriteriaError({ code: 'INVALID_OPTION', message });
  }
  const { id = `${model.provider}/${model.modelId}`, onWarning = emitWarning } = options;
  const told = new Set<string>();

  return {
    id,
    checkSettings: (written) => void readSettings(written),
    access: () => ({ service: `AI SDK, ${model.provider}`, credentials: 'the options of the model', problems: [] }),
    async generate(request, signal) {
      signal.throwIfAborted();
      const call = callOf(request, signal);
      let result: AiSdkResult;
      try {
        result = await model.doGenerate(call);
      } catch (error) {
        signal.throwIfAborted();
        throw error;
      }
      for (const text of warningTexts(result.warnings ?? [])) {
        if (told.has(text)) continue;
        told.add(text);
        onWarning(`${id}: ${text}`);
      }
      return answerOf(result, request.schema !== undefined);
    },
  };
}

function emitWarning(message: string): void {
  process.emitWarning(message, 'ModelWarning');
}

function callOf(request: ModelRequest, abortSignal: AbortSignal): AiSdkCall {
  const { temperature, seed, maxOutputTokens, schema, settings = {} } = request;
  return {
    prompt: promptOf(request),
    temperature,
    seed,
    maxOutputTokens,
    responseFormat: schema === undefined ? undefined : { type: 'json', schema, name: 'answer' },
    ...readSettings(settings),
    abortSignal,
  };
}

function promptOf({ system, messages }: ModelRequest): AiSdkMessage[] {
  return [
    ...(system === undefined ? [] : [{ role: 'system' as const, content: system }]),
    ...messages.map((message) => ({
      role: message.role === 'model' ? ('assistant' as const) : ('user' as const),
      content: [{ type: 'text' as const, text: contentText(message) }],
    })),
  ];
}

function answerOf(result: AiSdkResult, formed: boolean): ModelAnswer {
  const { content, structuredOutputText, finishReason, usage } = result;
  const text = content.map((part) => (part.type === 'text' ? (part.text ?? '') : '')).join('');
  const reason = typeof finishReason === 'string' ? finishReason : finishReason.unified;
  return {
    text: (formed ? structuredOutputText : undefined) ?? text,
    finish: endings.get(reason) ?? 'other',
    usage: usageOf(usage),
    from: 'live',
  };
}

const endings: ReadonlyMap<string, ModelAnswer['finish']> = new Map([
  ['stop', 'stop'],
  ['length', 'length'],
  // The answer may be incomplete.
  ['interrupted', 'length'],
  ['content-filter', 'blocked'],
]);

/** Reads the token usage of a call, counting reasoning as output. Unreported counts are left out. */
function usageOf(usage: AiSdkResult['usage']): State {
  const { inputTokens: input, outputTokens: output } = usage;
  const read = {
    inputTokens: typeof input === 'object' ? input.total : input,
    cachedInputTokens: typeof input === 'object' ? input.cacheRead : usage.cachedInputTokens,
    outputTokens: typeof output === 'object' ? output.total : outputOf(usage, output),
    reasoningTokens: typeof output === 'object' ? output.reasoning : usage.reasoningTokens,
    totalTokens: usage.totalTokens,
  };
  return Object.fromEntries(
    Object.entries(read).flatMap(([name, value]) => (typeof value === 'number' ? [[name, value]] : [])),
  );
}

/**
 * Returns the output tokens with reasoning. v2 providers differ on whether the output includes reasoning, which the
 * total reveals.
 */
function outputOf(usage: AiSdkResult['usage'], output: number | undefined): number | undefined {
  const { inputTokens, totalTokens, reasoningTokens = 0 } = usage;
  if (output === undefined || typeof inputTokens !== 'number') return output;
  return totalTokens === inputTokens + output + reasoningTokens ? output + reasoningTokens : output;
}

/** Describes a model's warnings. v2 names a setting, v3 and v4 a feature. */
function warningTexts(warnings: readonly { readonly type: string }[]): string[] {
  return warnings.map((warning) => {
    const { type, setting, feature, details, message } = warning as Readonly<Record<string, unknown>>;
    const what = [setting, feature].find((name) => typeof name === 'string');
    const more = [details, message].filter((text) => typeof text === 'string' && text !== '').join('; ');
    const lacks = String(type).startsWith('unsupported') ? 'does not support' : String(type);
    const text = what === undefined ? '' : `${lacks} "${what}"`;
    return [text, more].filter((part) => part !== '').join(': ') || String(type);
  });
}
