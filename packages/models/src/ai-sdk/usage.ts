import type { State } from '@agent-criteria/core';
import type { AiSdkResult } from './specification.ts';

/** Reads the tokens of a call, with reasoning as part of the output. Unreported counts are left out. */
export function usageOf(usage: AiSdkResult['usage']): State {
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

/** Returns the output tokens with reasoning. Providers of v2 differ in whether the output includes it; the total shows it. */
function outputOf(usage: AiSdkResult['usage'], output: number | undefined): number | undefined {
  const { inputTokens, totalTokens, reasoningTokens = 0 } = usage;
  if (output === undefined || typeof inputTokens !== 'number') return output;
  return totalTokens === inputTokens + output + reasoningTokens ? output + reasoningTokens : output;
}
