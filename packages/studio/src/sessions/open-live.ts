import type { Agent, AgentSession } from '@agent-criteria/core';
import type { ChatSession } from './chat-session.ts';
import { historyOf } from './history-of.ts';
import { withoutMetadata } from './session-metadata.ts';

/** The agent's side of a session, which begins with what was said before, if anything was. */
export function openLive(session: ChatSession, agent: Agent): Promise<AgentSession> {
  if (session.live !== null) return Promise.resolve(session.live);
  session.opening ??= open(session, agent).then(
    (live) => {
      session.live = live;
      session.opening = null;
      return live;
    },
    (error: unknown) => {
      session.opening = null;
      throw error;
    },
  );
  return session.opening;
}

async function open(session: ChatSession, agent: Agent): Promise<AgentSession> {
  const { id, userId, stop, artifacts } = session;
  const state = withoutMetadata(session.state);
  const history = historyOf(session);
  if (history.length === 0) session.initialState = structuredClone(state);
  const key = { setId: 'studio', caseId: id, repeat: 0 };
  const start = { key, userId, sessionId: id, state: structuredClone(state) };
  return agent.open(history.length === 0 ? start : { ...start, history, artifacts }, stop.signal);
}
