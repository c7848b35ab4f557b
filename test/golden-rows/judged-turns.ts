import type { EvalCase, Inference, ModelRequest } from '@agent-criteria/core';
import { evalCase, inference } from '@agent-criteria/core/testing';

/** A conversation of so many turns whose judge can tell them apart. */
export function judgedTurns(count: number): { readonly evalCase: EvalCase; readonly inference: Inference } {
  const words = Array.from({ length: count }, (_, turn) => ({ user: `Question ${turn}.`, answer: `Answer ${turn}.` }));
  return { evalCase: evalCase('case', words), inference: inference(words) };
}

/** From 0: which of these turns a judge is asked about. It may see earlier ones, too. */
export function askedTurn({ messages }: Pick<ModelRequest, 'messages'>): number {
  const text = messages[0]?.parts?.[0]?.text ?? '';
  return Math.max(...Array.from(text.matchAll(/Question (\d+)\./g), ([, turn]) => Number(turn)));
}
