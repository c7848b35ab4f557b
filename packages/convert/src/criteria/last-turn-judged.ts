import type { Invocation } from '@agent-criteria/core';
import type { Conversation } from '../conversation.ts';

/** Judges the last turn of a conversation, by a reference if there is one. The turns before it are history. */
export function lastTurnJudged(
  turns: readonly Invocation[],
  reference: string | undefined,
): Pick<Conversation, 'turns' | 'expected' | 'history'> {
  const last = turns.length - 1;
  return {
    turns,
    expected: reference === undefined ? new Map() : new Map([[last, { answer: reference }]]),
    ...(last > 0 ? { history: last } : {}),
  };
}
