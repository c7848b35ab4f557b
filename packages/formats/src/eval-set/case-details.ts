import { GROUP_KEY } from '../data/group.ts';
import type { EvalCase } from '../data/model.ts';
import { TAGS_KEY } from '../data/tags.ts';

/** What a case has besides its conversation. */
export interface CaseDetails extends Omit<EvalCase, 'evalId' | 'conversation' | 'conversationScenario'> {
  /** Names by which a run chooses cases, kept as `agentCriteria.tags`: `agent-criteria eval … --tag smoke`. */
  readonly tags?: readonly string[] | undefined;
  /** What cases have in common that pass and fail together, such as a document; kept as `agentCriteria.group`. Statistics count a group once. */
  readonly group?: string | undefined;
}

/** With tags and group where files have them. */
export function withTags({ tags, group, ...more }: CaseDetails): Omit<CaseDetails, 'tags' | 'group'> {
  if (tags === undefined && group === undefined) return more;
  const agentCriteria = {
    ...more.agentCriteria,
    ...(tags === undefined ? {} : { [TAGS_KEY]: [...tags] }),
    ...(group === undefined ? {} : { [GROUP_KEY]: group }),
  };
  return { ...more, agentCriteria };
}
