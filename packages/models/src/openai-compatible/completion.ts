import type { ModelAnswer, State } from '@agent-criteria/core';
import { secretMask } from '@agent-criteria/masking';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Reads a chat completion: the first choice's text without reasoning, the finish reason, and the usage.
 *
 * @throws Error if the value is not a chat completion; includes the body if that is an error with status 200.
 */
export function answerOf(completion: unknown): ModelAnswer {
  const { choices, error, usage } = fieldsOf(completion);
  if (!Array.isArray(choices)) throw notACompletion(completion, error);
  const { message, finish_reason: reason } = fieldsOf(choices[0]);
  const { content, refusal } = fieldsOf(message);
  const refused = typeof refusal === 'string' && refusal !== '';
  return {
    text: refused ? '' : withoutReasoning(textOf(content)),
    finish: refused ? 'blocked' : (endings.get(String(reason)) ?? 'other'),
    usage: usageOf(fieldsOf(usage)),
    from: 'live',
  };
}

const endings: ReadonlyMap<string, ModelAnswer['finish']> = new Map([
  ['stop', 'stop'],
  ['length', 'length'],
  ['content_filter', 'blocked'],
]);

/** Creates the error for any other body. Proxies may send an error with status 200, before they know the outcome. */
function notACompletion(completion: unknown, error: unknown): Error {
  const { message } = fieldsOf(error);
  if (error !== undefined && error !== null) {
    const said = typeof message === 'string' ? message : JSON.stringify(error);
    return Object.assign(
      new Error(`the server returned an error: ${secretMask({ environment: process.env }).text(said).slice(0, 500)}`),
      { body: completion },
    );
  }
  return new Error(
    'the server did not answer with a chat completion; is the base URL that of an OpenAI-compatible API?',
  );
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .map(fieldsOf)
    .map(({ type, text }) => (type === 'text' && typeof text === 'string' ? text : ''))
    .join('');
}

/** Removes the reasoning that some servers leave before the answer. If the reasoning never ends, there is no answer. */
function withoutReasoning(text: string): string {
  if (!/^\s*<think>/.test(text)) return text;
  const end = text.indexOf('</think>');
  return end === -1 ? '' : text.slice(end + '</think>'.length).trimStart();
}

function usageOf(usage: Fields): State {
  const input = count(usage.prompt_tokens);
  const output = count(usage.completion_tokens);
  if (input === undefined && output === undefined) return {};
  const total = count(usage.total_tokens);
  return {
    inputTokens: input ?? 0,
    cachedInputTokens: count(fieldsOf(usage.prompt_tokens_details).cached_tokens) ?? 0,
    outputTokens: output ?? 0,
    reasoningTokens: count(fieldsOf(usage.completion_tokens_details).reasoning_tokens) ?? 0,
    totalTokens: total,
  };
}

function count(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}
