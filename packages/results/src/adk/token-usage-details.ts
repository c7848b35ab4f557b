import type { Score, State } from '@agent-criteria/core';
import type { TokenUsageDetails } from '@agent-criteria/formats';

// The `token_usage_v1` measurements in ADK's result files.

const LABEL = 'token_usage_details';

const KINDS = {
  totalTokens: 'total_tokens',
  inputTokens: 'input_tokens',
  promptTokens: 'prompt_tokens',
  cachedTokens: 'cached_tokens',
  toolUseTokens: 'tool_use_tokens',
  outputTokens: 'output_tokens',
  candidatesTokens: 'candidates_tokens',
  reasoningTokens: 'reasoning_tokens',
} as const satisfies Required<Record<keyof TokenUsageDetails, string>>;

/** Reads a turn's tokens from the evidence of its score. Returns `null` if there is none. */
export function tokensOf({ evidence = [] }: Score): TokenUsageDetails | null {
  const found = evidence.find((one) => one.kind === 'json' && one.label === LABEL);
  const value = found?.kind === 'json' ? found.value : null;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  const counts = value as State;
  return ofKinds((name) => {
    const count = Object.hasOwn(counts, name) ? counts[name] : null;
    return typeof count === 'number' ? count : null;
  });
}

/**
 * Computes the mean over all turns, as ADK does: each kind is divided by the number of all turns, including those that
 * did not report it.
 */
export function tokensOfTurns(turns: readonly (TokenUsageDetails | null)[]): TokenUsageDetails | null {
  const kinds = Object.entries(KINDS) as [keyof TokenUsageDetails, string][];
  const means = new Map(
    kinds.map(([kind, name]) => {
      const known = turns.flatMap((tokens) => tokens?.[kind] ?? []);
      return [name, known.length === 0 ? null : known.reduce((sum, count) => sum + count, 0) / turns.length];
    }),
  );
  return turns.every((tokens) => tokens === null) ? null : ofKinds((name) => means.get(name) ?? null);
}

function ofKinds(countOf: (name: string) => number | null): TokenUsageDetails {
  const kinds = Object.entries(KINDS).map(([kind, name]) => [kind, countOf(name)]);
  return Object.fromEntries(kinds) as TokenUsageDetails;
}
