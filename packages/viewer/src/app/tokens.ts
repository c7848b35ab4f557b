import type { State } from '@agent-criteria/core';

const TOTALS = ['totalTokens', 'totalTokenCount', 'total_tokens'];
const PARTS = [
  ['inputTokens', 'outputTokens'],
  ['promptTokens', 'completionTokens'],
  ['promptTokenCount', 'candidatesTokenCount'],
  ['input_tokens', 'output_tokens'],
  ['prompt_tokens', 'completion_tokens'],
];

/** Tokens as providers name them; `null` where they are not told. */
export function tokensOf(usage: State | undefined): number | null {
  const number = (key: string) => (typeof usage?.[key] === 'number' ? (usage[key] as number) : null);
  for (const key of TOTALS) {
    const total = number(key);
    if (total !== null) return total;
  }
  for (const keys of PARTS) {
    const parts = keys.map(number).filter((part) => part !== null);
    if (parts.length > 0) return parts.reduce((sum, part) => sum + part, 0);
  }
  return null;
}
