import type { ConversationScenario, EvalCase } from '../data/model.ts';
import { type CaseDetails, withTags } from './case-details.ts';

/** A case that a simulated user leads: the first message, and what the user wants after that. */
export function scenario(evalId: string, conversationScenario: ConversationScenario, more: CaseDetails = {}): EvalCase {
  return { evalId, conversationScenario, ...withTags(more) };
}
