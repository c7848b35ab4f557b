import type { EvalCase, Invocation } from '../data/model.ts';

/** A case with a fixed conversation: `evalCase('kitchen', [turn('How warm is it?', { answer: '21 °C' })])`. */
export function evalCase(
  evalId: string,
  turns: readonly Invocation[],
  more: Omit<EvalCase, 'evalId' | 'conversation' | 'conversationScenario'> = {},
): EvalCase {
  return { evalId, conversation: [...turns], ...more };
}
