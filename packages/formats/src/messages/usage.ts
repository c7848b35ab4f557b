import { isObject } from '../json.ts';

/** Token counts in the format of ADK's events. */
export interface UsageMetadata {
  readonly promptTokenCount: number;
  readonly cachedContentTokenCount?: number | undefined;
  readonly candidatesTokenCount: number;
  readonly thoughtsTokenCount?: number | undefined;
  readonly totalTokenCount: number;
}

const INPUT = ['inputTokens', 'input_tokens', 'promptTokens', 'prompt_tokens'];
const OUTPUT = ['outputTokens', 'output_tokens', 'completionTokens', 'completion_tokens'];
const CACHED = [
  ...['cachedInputTokens', 'inputTokenDetails.cacheReadTokens', 'prompt_tokens_details.cached_tokens'],
  ...['input_tokens_details.cached_tokens', 'inputTokensDetails.cached_tokens', 'cache_read_input_tokens'],
];
const REASONING = [
  ...['reasoningTokens', 'outputTokenDetails.reasoningTokens', 'completion_tokens_details.reasoning_tokens'],
  ...['output_tokens_details.reasoning_tokens', 'outputTokensDetails.reasoning_tokens'],
];

/**
 * Converts token counts in the spelling of the AI SDK or of OpenAI to ADK's.
 * @returns Counts in other spellings, such as ADK's own, unchanged, or `undefined` if there are none.
 */
export function usageMetadata(usage: unknown): unknown {
  if (!isObject(usage)) return undefined;
  const [input, output] = [countOf(usage, INPUT), countOf(usage, OUTPUT)];
  if (input === undefined && output === undefined) {
    return Object.values(usage).some((value) => typeof value === 'number') ? usage : undefined;
  }
  const reasoning = countOf(usage, REASONING);
  const cached = countOf(usage, CACHED);
  const counts: UsageMetadata = {
    promptTokenCount: input ?? 0,
    ...(cached === undefined ? {} : { cachedContentTokenCount: cached }),
    // ADK counts thoughts separately from the answer.
    candidatesTokenCount: Math.max((output ?? 0) - (reasoning ?? 0), 0),
    ...(reasoning === undefined ? {} : { thoughtsTokenCount: reasoning }),
    totalTokenCount: (input ?? 0) + (output ?? 0),
  };
  return counts;
}

/** Finds the first number at one of the paths. */
function countOf(usage: Readonly<Record<string, unknown>>, paths: readonly string[]): number | undefined {
  for (const path of paths) {
    let value: unknown = usage;
    for (const key of path.split('.')) value = isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
    if (typeof value === 'number' && Number.isFinite(value) && value >= 0) return value;
  }
  return undefined;
}
