import type { TokenCounts } from '../token-counts.ts';
import type { Usage } from '../usage.ts';

/**
 * Describes usage: `36 calls (12 cached), 41,230 tokens in (3,000 cached), 2,100 out (900 reasoning), cost 0.0123`.
 * Model names are not escaped.
 */
export function usageText(usage: Usage): string {
  return [callsText(usage), ...spentText(usage), ...reusedText(usage), ...costText(usage)].join(', ');
}

function callsText({ live, cached, recorded, failed, requests }: Usage): string {
  const all = live + cached + recorded + failed;
  const parts = Object.entries({ cached, recorded, failed }).flatMap(([word, calls]) =>
    calls === 0 ? [] : [`${calls === all && all > 1 ? 'all' : shown(calls)} ${word}`],
  );
  const sent = requests === undefined ? '' : `, ${shown(requests)} requests with retries`;
  return counted(all) + (parts.length === 0 ? '' : ` (${parts.join(', ')})`) + sent;
}

function spentText({ tokens, callsWithoutUsage }: Usage): readonly string[] {
  if (tokens === null) return callsWithoutUsage === 0 ? [] : ['no token usage reported'];
  return [tokensText(tokens), ...(callsWithoutUsage === 0 ? [] : [`tokens of ${counted(callsWithoutUsage)} unknown`])];
}

function reusedText({ reused }: Usage): readonly string[] {
  return reused === null ? [] : [`reused ${tokensText(reused)}`];
}

/** Describes token counts: `41,230 tokens in (3,000 cached), 2,100 out (900 reasoning)`. */
export function tokensText({ inputTokens, cachedInputTokens, outputTokens, reasoningTokens }: TokenCounts): string {
  const cached = cachedInputTokens === 0 ? '' : ` (${shown(cachedInputTokens)} cached)`;
  const reasoning = reasoningTokens === 0 ? '' : ` (${shown(reasoningTokens)} reasoning)`;
  return `${shown(inputTokens)} ${inputTokens === 1 ? 'token' : 'tokens'} in${cached}, ${shown(outputTokens)} out${reasoning}`;
}

const NAMES_SHOWN = 3;

/**
 * Describes the cost, or why it is unknown. Says nothing where the reason is obvious: without prices or tokens there is no
 * cost to compute.
 */
function costText({
  live,
  cached,
  recorded,
  tokens,
  cost,
  callsWithoutPrice,
  callsWithoutUsage,
  targetsWithoutPrice,
}: Usage): readonly string[] {
  if (live + cached + recorded === 0) return [];
  if (callsWithoutPrice === 0) return [`cost ${formatCost(cost ?? 0)}`];
  if (cost === null && (targetsWithoutPrice.length === 0 || tokens === null)) return [];
  const known = cost === null ? 'cost' : `cost ${formatCost(cost)},`;
  const names = targetsWithoutPrice.slice(0, NAMES_SHOWN);
  const more = targetsWithoutPrice.length - names.length;
  const lacking = callsWithoutUsage === 0 ? 'no price' : 'no price or token usage reported';
  const why = names.length === 0 ? '' : `: ${lacking} for ${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  const of = callsWithoutPrice === live ? '' : ` for ${counted(callsWithoutPrice)}`;
  return [`${known} unknown${of}${why}`];
}

function counted(calls: number): string {
  return `${shown(calls)} ${calls === 1 ? 'call' : 'calls'}`;
}

function shown(count: number): string {
  return count.toLocaleString('en');
}

/** Formats an amount in the currency of the prices. A small amount is never shown as 0. */
export function formatCost(cost: number): string {
  return cost.toLocaleString('en', cost >= 1 ? { maximumFractionDigits: 2 } : { maximumSignificantDigits: 3 });
}
