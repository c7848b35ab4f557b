import { contentText, toolCalls } from '@agent-criteria/core';
import type { Conversation } from '../conversation.ts';

/** A conversation as texts, to be shown before an import. Plain JSON. */
export interface ConversationPreview {
  /** The id in the file, or `null` if it has none. */
  readonly id: string | null;
  /** The place in the file, such as `log.jsonl, line 7`. */
  readonly where: string;
  /** The label of a person, or `null` if there is none. */
  readonly label: 'pass' | 'fail' | null;
  readonly turns: readonly TurnPreview[];
}

export interface TurnPreview {
  readonly user: string;
  readonly calls: readonly { readonly name: string; readonly args: Readonly<Record<string, unknown>> | null }[];
  /** Empty if the agent gave no answer. */
  readonly answer: string;
}

export function conversationPreview({ id, where, label, turns }: Conversation): ConversationPreview {
  return {
    id,
    where,
    label: label?.label ?? null,
    turns: turns.map((turn) => ({
      user: contentText(turn.userContent),
      calls: toolCalls(turn).map(({ name, args }) => ({ name: name ?? '', args: args ?? null })),
      answer: contentText(turn.finalResponse),
    })),
  };
}
