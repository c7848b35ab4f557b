import type { ConversationScenario, EvalCase } from '../data/model.ts';

/** A case that a simulated user leads: the first message, and what the user wants after that. */
export function scenario(
  evalId: string,
  conversationScenario: ConversationScenario,
  more: Omit<EvalCase, 'evalId' | 'conversation' | 'conversationScenario'> = {},
): EvalCase {
  return { evalId, conversationScenario, ...more };
}
