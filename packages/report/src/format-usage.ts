import { type RunUsage, type State, type Usage, usageRoles, usageText } from '@agent-criteria/core';
import type { Look } from './look.ts';
import { wrapped } from './prose.ts';
import { safe } from './terminal.ts';

/** What was used, a line for each role that is known to have used anything; behind so many columns. */
export function usageLines(usage: RunUsage, margin: number, look: Look): readonly string[] {
  return usageRoles.flatMap((role) => {
    const own = usage[role];
    return own === undefined ? [] : [wrapped(safe(`${role}: ${usageText(own)}`), margin, look)];
  });
}

/** A usage as names and values for machines; without those that nobody knows. */
export function usageEntries(usage: RunUsage): readonly (readonly [name: string, value: string])[] {
  return usageRoles.flatMap((role) => {
    const own = usage[role];
    if (own === undefined) return [];
    return Object.entries(flatUsage(own)).map(([name, value]) => [`${role} ${name}`, String(value)] as const);
  });
}

/** The counts of a usage on one level. */
function flatUsage({ tokens, reused: _reused, unpricedNames: _names, cost, unpriced, untold, ...calls }: Usage) {
  return {
    calls: callsOf(calls),
    ...{ live: calls.live, cached: calls.cached, recorded: calls.recorded, failed: calls.failed },
    ...(tokens === null ? {} : { 'input tokens': tokens.inputTokens, 'cached input tokens': tokens.cachedInputTokens }),
    ...(tokens === null ? {} : { 'output tokens': tokens.outputTokens, 'reasoning tokens': tokens.reasoningTokens }),
  };
}
