import type { State } from '@agent-criteria/core';

/** Token counts for one or more calls. Cached tokens are included in the input, reasoning tokens in the output. */
export interface TokenCounts {
  readonly inputTokens: number;
  readonly cachedInputTokens: number;
  readonly outputTokens: number;
  readonly reasoningTokens: number;
}

/**
 * Reads the token counts that a model reported, either under the names in `TokenCounts`, as our providers do, or as
 * Gemini's `usageMetadata` in ADK events, in either spelling. Missing counts are 0.
 *
 * @returns `null` if no tokens were reported at all.
 */
export function tokenCounts(usage: unknown): TokenCounts | null {
  if (typeof usage !== 'object' || usage === null) return null;
  const read = (...names: readonly string[]): number | undefined => {
    for (const name of names) {
      const count = Object.hasOwn(usage, name) ? (usage as State)[name] : undefined;
      if (typeof count === 'number' && Number.isFinite(count) && count >= 0) return count;
    }
    return undefined;
  };
  const input = read('inputTokens', 'promptTokenCount', 'prompt_token_count');
  const cached = read('cachedInputTokens', 'cachedContentTokenCount', 'cached_content_token_count');
  const thoughts = read('thoughtsTokenCount', 'thoughts_token_count');
  // Gemini counts thoughts separately, but both are billed as output.
  const candidates = read('candidatesTokenCount', 'candidates_token_count');
  const output =
    read('outputTokens') ??
    (candidates === undefined && thoughts === undefined ? undefined : (candidates ?? 0) + (thoughts ?? 0));
  if (input === undefined && output === undefined) return null;
  return {
    inputTokens: input ?? 0,
    cachedInputTokens: cached ?? 0,
    outputTokens: output ?? 0,
    reasoningTokens: read('reasoningTokens') ?? thoughts ?? 0,
  };
}
