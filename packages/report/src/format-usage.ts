import { type RunUsage, type TokenCounts, type Usage, type UsageRole, usageRoles } from '@agent-criteria/results';
import { usageText } from '@agent-criteria/results/text';
import { wrapped } from './prose.ts';
import type { Style } from './style.ts';
import { safe } from './terminal.ts';

/** Lists the roles whose usage is known. */
export function usedBy(usage: RunUsage): readonly (readonly [role: UsageRole, usage: Usage])[] {
  return usageRoles.flatMap((role) => {
    const own = usage[role];
    return own === undefined ? [] : [[role, own] as const];
  });
}

/** Formats usage as indented lines, one per role. */
export function usageLines(usage: RunUsage, margin: number, style: Pick<Style, 'width'>): readonly string[] {
  return usedBy(usage).map(([role, own]) => wrapped(safe(`${role}: ${usageText(own)}`), margin, style));
}

/** Lists usage as names and values. Values that are only partly known are marked as such. */
export function usageEntries(usage: RunUsage): readonly (readonly [name: string, value: string])[] {
  return usedBy(usage).flatMap(([role, own]): readonly (readonly [string, string])[] => [
    [`${role} usage`, usageText(own)],
    [`${role} calls`, String(callsOf(own))],
    [`${role} input tokens`, knownPart(own.tokens?.inputTokens ?? null, own.callsWithoutUsage)],
    [`${role} output tokens`, knownPart(own.tokens?.outputTokens ?? null, own.callsWithoutUsage)],
    [`${role} cost`, knownPart(own.cost, own.callsWithoutPrice)],
  ]);
}

export function callsOf({ live, cached, recorded, failed }: Usage): number {
  return live + cached + recorded + failed;
}

function knownPart(known: number | null, unknownCalls: number): string {
  if (unknownCalls === 0) return String(known ?? 0);
  return known === null ? 'unknown' : `at least ${known}`;
}

/** Converts usage to the naming convention of ADK's files. */
export function snakeUsage(usage: RunUsage) {
  const spelt = ({ tokens, reused, callsWithoutUsage, callsWithoutPrice, targetsWithoutPrice, ...rest }: Usage) => ({
    ...rest,
    tokens: snakeTokens(tokens),
    calls_without_usage: callsWithoutUsage,
    reused: snakeTokens(reused),
    calls_without_price: callsWithoutPrice,
    targets_without_price: targetsWithoutPrice,
  });
  return Object.fromEntries(usedBy(usage).map(([role, own]) => [role, spelt(own)]));
}

function snakeTokens(counts: TokenCounts | null) {
  if (counts === null) return null;
  return {
    input_tokens: counts.inputTokens,
    cached_input_tokens: counts.cachedInputTokens,
    output_tokens: counts.outputTokens,
    reasoning_tokens: counts.reasoningTokens,
  };
}
