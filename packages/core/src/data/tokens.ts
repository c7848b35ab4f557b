import type { State } from '@agent-criteria/formats';

/** A turn's token counts, named as in ADK's result files, each `null` if not reported. */
export interface Tokens {
  readonly total_tokens: number | null;
  readonly input_tokens: number | null;
  readonly prompt_tokens: number | null;
  readonly cached_tokens: number | null;
  readonly tool_use_tokens: number | null;
  readonly output_tokens: number | null;
  readonly candidates_tokens: number | null;
  readonly reasoning_tokens: number | null;
}

/**
 * Sums the token counts of calls as ADK does: input is prompt plus tool use, output is candidates plus reasoning, and
 * the total is input plus output, not the total that the backend reports. A count that no call reported is `null`, not
 * 0.
 */
export function sumTokens(usages: readonly unknown[]): Tokens {
  const sum = (...names: readonly string[]) => added(usages.map((usage) => count(usage, names)));
  const prompt = sum('promptTokenCount', 'prompt_token_count', 'inputTokens');
  const toolUse = sum('toolUsePromptTokenCount', 'tool_use_prompt_token_count');
  const candidates = added(usages.map(candidatesOf));
  const reasoning = sum('thoughtsTokenCount', 'thoughts_token_count', 'reasoningTokens');
  const input = added([prompt, toolUse]);
  const output = added([candidates, reasoning]);
  return {
    total_tokens: added([input, output]),
    input_tokens: input,
    prompt_tokens: prompt,
    cached_tokens: sum('cachedContentTokenCount', 'cached_content_token_count', 'cachedInputTokens'),
    tool_use_tokens: toolUse,
    output_tokens: output,
    candidates_tokens: candidates,
    reasoning_tokens: reasoning,
  };
}

/** Gemini counts thoughts separately; other providers include them in `outputTokens`. */
function candidatesOf(usage: unknown): number | null {
  const own = count(usage, ['candidatesTokenCount', 'candidates_token_count']);
  if (own !== null) return own;
  const output = count(usage, ['outputTokens']);
  return output === null ? null : Math.max(0, output - (count(usage, ['reasoningTokens']) ?? 0));
}

function count(usage: unknown, names: readonly string[]): number | null {
  if (typeof usage !== 'object' || usage === null) return null;
  for (const name of names) {
    const value = Object.hasOwn(usage, name) ? (usage as State)[name] : undefined;
    if (typeof value === 'number' && Number.isFinite(value) && value >= 0) return value;
  }
  return null;
}

/** Returns the sum, or `null` if no count is known. */
function added(counts: readonly (number | null)[]): number | null {
  const known = counts.filter((one) => one !== null);
  return known.length === 0 ? null : known.reduce((sum, one) => sum + one, 0);
}
