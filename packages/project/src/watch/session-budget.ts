import { CriteriaError } from '@agent-criteria/core';
import type { Spent } from '@agent-criteria/models';
import type { Settings } from '../config/settings/settings-type.ts';

/** The limits of all runs of a session together. */
export type SessionLimits = Pick<Settings, 'maxCalls' | 'maxTokens' | 'maxCost'>;

/** The calls, tokens and cost of a session so far. */
export interface SessionSpent {
  readonly calls: number;
  readonly tokens: number;
  readonly cost: number;
}

export const NOTHING_SPENT: SessionSpent = { calls: 0, tokens: 0, cost: 0 };

/** Adds what a run spent, if it made calls. */
export function withSpent({ calls, tokens, cost }: SessionSpent, run: Spent | null): SessionSpent {
  if (run === null) return { calls, tokens, cost };
  return {
    calls: calls + run.calls,
    tokens: tokens + (run.inputTokens ?? 0) + (run.outputTokens ?? 0),
    cost: cost + (run.cost ?? 0),
  };
}

/**
 * Returns the limits of the next run of a session.
 * @throws CriteriaError BUDGET_SPENT if nothing is left.
 */
export function limitsLeft({ maxCalls, maxTokens, maxCost }: SessionLimits, spent: SessionSpent): SessionLimits {
  const left = {
    ...(maxCalls !== undefined && { maxCalls: maxCalls - spent.calls }),
    ...(maxTokens !== undefined && { maxTokens: maxTokens - spent.tokens }),
    ...(maxCost !== undefined && { maxCost: maxCost - spent.cost }),
  };
  if (Object.values(left).every((one) => one > 0)) return left;
  const message = 'the budget of this session is spent: end it, and begin again with a higher limit';
  throw new CriteriaError({ code: 'BUDGET_SPENT', message });
}
