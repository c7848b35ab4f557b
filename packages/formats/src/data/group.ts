import { isObject } from '../json.ts';
import type { EvalCase } from './model.ts';

/** The key of the group under `agent_criteria` of a case. */
export const GROUP_KEY = 'group';

/**
 * The group of a case: cases about one document, user or scenario, which pass and fail together. Statistics count a group
 * once. `null`: it is in none.
 */
export function groupOf({ agentCriteria }: Pick<EvalCase, 'agentCriteria'>): string | null {
  const group: unknown = isObject(agentCriteria) ? agentCriteria[GROUP_KEY] : undefined;
  return typeof group === 'string' && group !== '' ? group : null;
}

/** What is wrong with the group of a case; `null`: nothing, or it has none. */
export function mistakeInGroup(agentCriteria: unknown): string | null {
  const group = isObject(agentCriteria) ? agentCriteria[GROUP_KEY] : undefined;
  if (group === undefined || (typeof group === 'string' && group.trim() !== '')) return null;
  return 'the group of a case must be a non-empty string, as "refunds": cases of one group count as one in statistics';
}
