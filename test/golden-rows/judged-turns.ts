import type { EvalCase, Inference, ModelRequest } from '@agent-criteria/core';
import { evalCase, inference } from '@agent-criteria/core/testing';

/** Returns a conversation with this many turns that its judge can tell apart. */
export function judgedTurns(count: number): { readonly evalCase: EvalCase; readonly inference: Inference } {
  const words = Array.from({ length: count }, (_, turn) => ({ user: `Question ${turn}.`, answer: `Answer ${turn}.` }));
  return { evalCase: evalCase('case', words), inference: inference(words) };
}

/** Returns the index of the turn that a judge is asked about. It may see earlier turns, too. */
export function askedTurn({ messages }: Pick<ModelRequest, 'messages'>): number {
  const text = messages[0]?.parts?.[0]?.text ?? '';
  return Math.max(...Array.from(text.matchAll(/Question (\d+)\./g), ([, turn]) => Number(turn)));
}
