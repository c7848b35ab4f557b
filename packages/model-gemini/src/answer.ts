import type { ModelAnswer, State } from '@agent-criteria/core';
import type { GenerateContentResponse } from '@google/genai';

const blocked: ReadonlySet<string> = new Set([
  ...['SAFETY', 'RECITATION', 'BLOCKLIST', 'PROHIBITED_CONTENT', 'SPII', 'MODEL_ARMOR'],
  ...['IMAGE_SAFETY', 'IMAGE_PROHIBITED_CONTENT', 'IMAGE_RECITATION'],
]);
const cutOff: ReadonlySet<string> = new Set(['MAX_TOKENS', 'CONTINUATION']);

/** Reads the first candidate of a response: its text without thoughts, finish reason and usage. */
export function answerOf(response: GenerateContentResponse): ModelAnswer {
  const [candidate] = response.candidates ?? [];
  const texts = (candidate?.content?.parts ?? []).map((part) => (part.thought === true ? '' : (part.text ?? '')));
  return {
    text: texts.join(''),
    finish: candidate === undefined ? withoutCandidate(response) : finishOf(candidate.finishReason),
    usage: usageOf(response),
    from: 'live',
  };
}

function withoutCandidate({ promptFeedback }: GenerateContentResponse): ModelAnswer['finish'] {
  return promptFeedback?.blockReason === undefined ? 'other' : 'blocked';
}

function finishOf(reason: string | undefined): ModelAnswer['finish'] {
  if (reason === 'STOP') return 'stop';
  if (reason === undefined) return 'other';
  if (cutOff.has(reason)) return 'length';
  return blocked.has(reason) ? 'blocked' : 'other';
}

/** Reads the usage. Gemini includes cached tokens in the prompt, but counts thoughts and tool results separately. */
function usageOf({ usageMetadata: usage }: GenerateContentResponse): State {
  if (usage === undefined) return {};
  const thoughts = usage.thoughtsTokenCount ?? 0;
  return {
    inputTokens: (usage.promptTokenCount ?? 0) + (usage.toolUsePromptTokenCount ?? 0),
    cachedInputTokens: usage.cachedContentTokenCount ?? 0,
    outputTokens: (usage.candidatesTokenCount ?? 0) + thoughts,
    reasoningTokens: thoughts,
    totalTokens: usage.totalTokenCount,
  };
}
