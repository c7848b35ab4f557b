import type { EvalCase, Invocation } from '@agent-criteria/core';
import { isObject } from '@agent-criteria/formats';
import { fieldOf } from '@agent-criteria/formats/schema';
import { readCase } from '../../sets/read-case.ts';

/**
 * What a client that knows only some fields of a case sends, over the case as it is: ADK's own sends back the id, conversation,
 * session and time, and everything else must survive. A field that is absent or null stays as it was; a conversation replaces a
 * scenario only if it has a turn, and the reverse.
 *
 * @throws A refusal, 422, with every mistake in what was sent.
 */
export function mergeCase(before: EvalCase, body: unknown): EvalCase {
  if (!isObject(body)) return readCase(body);
  const given = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null && value !== undefined));
  const conversation = fieldOf(given, 'conversation');
  const isEmpty = conversation === undefined || (Array.isArray(conversation) && conversation.length === 0);
  if (before.conversationScenario && isEmpty) {
    delete given.conversation;
    // Checked beside the scenario that stays.
    if (fieldOf(given, 'conversationScenario') === undefined) given.conversationScenario = before.conversationScenario;
  } else if (isEmpty && conversation === undefined && fieldOf(given, 'conversationScenario') === undefined) {
    given.conversation = before.conversation;
  }
  const sent = readCase(given);
  const merged: { -readonly [Key in keyof EvalCase]: EvalCase[Key] } = { ...before, ...sent };
  if (before.sessionInput && sent.sessionInput) merged.sessionInput = { ...before.sessionInput, ...sent.sessionInput };
  if (sent.conversation) {
    delete merged.conversationScenario;
    merged.conversation = sent.conversation.map((turn, index) =>
      withTurnFields(turn, before.conversation ?? [], index),
    );
  } else if (sent.conversationScenario) delete merged.conversation;
  return merged;
}

/** Fields of a turn that a client may not know, from the turn that it was: by its id, else by its place. */
function withTurnFields(turn: Invocation, before: readonly Invocation[], index: number): Invocation {
  const was = turn.invocationId ? before.find((one) => one.invocationId === turn.invocationId) : before[index];
  if (was === undefined) return turn;
  const { rubrics, appDetails } = was;
  return {
    ...(rubrics === undefined ? {} : { rubrics }),
    ...(appDetails === undefined ? {} : { appDetails }),
    ...turn,
  };
}
