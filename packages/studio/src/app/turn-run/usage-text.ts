import { count, formatTokens } from '@agent-criteria/viewer/views';
import type { TurnUsage } from '../../api.ts';

/** Says what an agent used, times a number of answers. What is unknown is said to be so, never left out as if it were 0. */
export function usageText({ modelCalls, tokens, cost }: TurnUsage, times = 1): string {
  const parts = [
    count(modelCalls * times, 'model call'),
    tokens === null ? 'tokens unknown' : formatTokens((tokens.inputTokens + tokens.outputTokens) * times),
    cost === null ? 'cost unknown' : `cost ${costText(cost * times)}`,
  ];
  return parts.join(', ');
}

/** Formats a cost, which has the currency of the prices. */
export function costText(cost: number): string {
  return cost.toLocaleString('en', { maximumSignificantDigits: 3 });
}
