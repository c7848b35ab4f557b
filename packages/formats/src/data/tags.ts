import { isObject } from '../json.ts';
import type { EvalCase } from './model.ts';

/** The key of tags under `agent_criteria` of a case. */
export const TAGS_KEY = 'tags';

/** The tags of a case, by which a run chooses cases: the texts of its `agent_criteria.tags`. */
export function tagsOf({ agentCriteria }: Pick<EvalCase, 'agentCriteria'>): readonly string[] {
  const tags: unknown = isObject(agentCriteria) ? agentCriteria[TAGS_KEY] : undefined;
  return Array.isArray(tags) ? tags.filter((tag) => typeof tag === 'string') : [];
}

/** What is wrong with the tags of a case; `null`: nothing, or it has none. */
export function mistakeInTags(agentCriteria: unknown): string | null {
  const tags = isObject(agentCriteria) ? agentCriteria[TAGS_KEY] : undefined;
  if (tags === undefined) return null;
  if (Array.isArray(tags) && tags.every((tag) => typeof tag === 'string' && tag.trim() !== '')) return null;
  return 'the tags of a case must be a list of non-empty strings, as ["smoke", "slow"]';
}
