import { type ConversationScenario, type Invocation, type UserMove, type UserSession, contentText } from '@agent-criteria/core';
import { invocation, type ScriptedModel, type ScriptedReply, scriptedModel, testTools } from '@agent-criteria/core/testing';
import { llmBackedUserSimulator } from '../llm-backed-user-simulator.ts';
import type { LlmBackedUserSimulatorInput } from '../simulator-options.ts';

export const scenario: ConversationScenario = {
  startingPrompt: 'My badge fails at door 3.',
  conversationPlan: 'You want door 3 opened. Your badge has the number 4711. Then ask for a new badge.',
};

/** Returns an answer in the format that the model is asked for. */
export function answer(message: string, done = false, reason = 'because'): string {
  return JSON.stringify({ reason, done, message });
}

/** Reads the options of `llm_backed` as if they came from a config. */
export function optionsOf(input: LlmBackedUserSimulatorInput = {}) {
  const read = llmBackedUserSimulator.options['~standard'].validate(input);
  if (read.issues !== undefined) throw new Error(read.issues.map(({ message }) => message).join('; '));
  return read.value;
}

export interface Opened {
  readonly user: UserSession;
  readonly model: ScriptedModel;
  /** Returns the text of a request's first message. */
  asked(index?: number): string;
}

/** Opens a simulated user whose model gives these replies. */
export function openUser(
  replies: readonly ScriptedReply[],
  options: LlmBackedUserSimulatorInput = {},
  of: Partial<ConversationScenario> = {},
): Opened {
  const model = scriptedModel(replies);
  const read = optionsOf(options);
  const tools = testTools({ models: { [read.model]: model } });
  const key = { setId: 'set', caseId: 'case', repeat: 0 };
  const user = llmBackedUserSimulator.open({ key, scenario: { ...scenario, ...of } }, read, tools);
  return { user, model, asked: (index = 0) => contentText(model.requests[index]?.messages[0]) };
}

/** Opens a user, and returns it after its first message and the agent's answer. */
export async function afterOpening(
  replies: readonly ScriptedReply[],
  agentSays = 'I see.',
  options: LlmBackedUserSimulatorInput = {},
  of: Partial<ConversationScenario> = {},
): Promise<Opened & { readonly soFar: readonly Invocation[]; next(): Promise<UserMove> }> {
  const opened = openUser(replies, options, of);
  const { message } = await opened.user.next([]);
  const soFar = [invocation({ user: contentText(message), answer: agentSays })];
  return { ...opened, soFar, next: () => opened.user.next(soFar) };
}

export function textOf(next: UserMove): string | null {
  return next.message === undefined ? null : contentText(next.message);
}
