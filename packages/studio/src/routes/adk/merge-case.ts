import type { EvalCase, Invocation } from '@agent-criteria/core';
import { isObject } from '@agent-criteria/formats';
import { fieldOf } from '@agent-criteria/formats/schema';
import { readCase } from '../../sets/read-case.ts';

/**
 * Merges the fields that a client knows into a case. ADK's client sends the id, conversation, session and time, so all
 * other fields must survive. Fields that are absent or null in the body stay unchanged; a conversation replaces a
 * scenario only if it has a turn, and vice versa.
 *
 * @throws A 422 refusal that lists every mistake in the body.
 */
export function mergeCase(before: EvalCase, body: unknown): EvalCase {
  if (!isObject(body)) return readCase(body);
  const given = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null && value !== undefined));
  const conversation = fieldOf(given, 'conversation');
  const isEmpty = conversation === undefined || (Array.isArray(conversation) && conversation.length === 0);
  if (before.conversationScenario && isEmpty) {
    delete given.conversation;
    // Validated together with the scenario that is kept.
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

/**
 * Copies fields that the client may not know from the corresponding old turn, which is found by id or else by position.
 */
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
