import type { EvalCase } from '../data/model.ts';
import { TAGS_KEY } from '../data/tags.ts';

/** What a case has besides its conversation. */
export interface CaseDetails extends Omit<EvalCase, 'evalId' | 'conversation' | 'conversationScenario'> {
  /** Names by which a run chooses cases, kept as `agentCriteria.tags`: `agent-criteria eval … --tag smoke`. */
  readonly tags?: readonly string[] | undefined;
}

/** With the tags where files have them. */
export function withTags({ tags, ...more }: CaseDetails): Omit<CaseDetails, 'tags'> {
  return tags === undefined ? more : { ...more, agentCriteria: { ...more.agentCriteria, [TAGS_KEY]: [...tags] } };
}
