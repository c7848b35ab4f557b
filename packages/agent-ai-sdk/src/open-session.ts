import { openStubs, randomUUID } from '@agent-criteria/calls';
import type { AgentDescription, AgentDetails, AgentSession, SessionStart } from '@agent-criteria/core';
import type { AiSdkSession } from './ai-sdk-agent.ts';
import { type AiSdkModelMessage, messagesOf, userMessage, withAllResults } from './model-messages.ts';
import { runTurn } from './run-turn.ts';
import type { RunSource } from './turn-sources.ts';

export interface SessionOptions {
  readonly name: string;
  readonly description: AgentDescription;
  readonly run: RunSource;
}

/** Opens a session, which holds nothing but its messages. */
export function openSession(
  { name, description, run }: SessionOptions,
  { key, userId, sessionId, state, history = [], stubs: configs = [], environment }: SessionStart,
  signal: AbortSignal,
): AgentSession {
  const session: AiSdkSession = { id: sessionId ?? randomUUID(), userId, key, state };
  const stubs = openStubs(configs, key, environment);
  const isStubbed = (tool: string): boolean => stubs.has(tool) || environment?.unlistedTools === 'error';
  const messages: AiSdkModelMessage[] = history.flatMap(({ invocation }, turn) => messagesOf(invocation, turn));
  let turns = 0;
  return {
    id: session.id,
    async send(message, { onEvent, signal: stop, streaming } = {}) {
      const index = turns++;
      const asked = userMessage(message);
      const given = [...messages, asked];
      const { turn, messages: said } = await runTurn({
        source: (report) => run({ session, messages: [...given], stubs, streaming }, report),
        message,
        name,
        index,
        signal: stop === undefined ? signal : AbortSignal.any([signal, stop]),
        details: detailsOf(description),
        isStubbed,
        onEvent,
      });
      // A turn that failed continues with what it has done. Its calls need ids that differ from those of the history.
      const done = said === null ? messagesOf(turn.invocation, history.length + index) : [asked, ...said];
      messages.push(...withAllResults(done as AiSdkModelMessage[]));
      return turn;
    },
    // Agents of the AI SDK have no state.
    state: async () => null,
    close: async () => undefined,
  };
}

function detailsOf({ name, instructions, tools }: AgentDescription): AgentDetails | null {
  if (instructions === undefined && tools === undefined) return null;
  const declared = tools === undefined || tools.length === 0 ? [] : [{ functionDeclarations: tools }];
  return { name, instructions, toolDeclarations: declared };
}
