import { randomUUID } from '@agent-criteria/calls';
import { type Agent, type AgentTurn, type Content, type Json, type State, toErrorInfo } from '@agent-criteria/core';
import { isObject } from '@agent-criteria/core/host';
import { refusal } from '../http/refusal.ts';
import { adkSpans } from '../traces/adk-span.ts';
import { camelEvent } from './camel-event.ts';
import type { AdkEvent, ChatSession } from './chat-session.ts';
import { jsonOf, userEvent, withIdentity } from './event-identity.ts';
import { eventsOfInvocation } from './events-of-invocation.ts';

/** One message of the user. */
export interface ChatMessage {
  readonly content: Content;
  /** Set before the message. */
  readonly stateDelta: State;
}

/**
 * Sends a message and gives the agent's events as they come. A failure of the agent is the last event, with `errorCode`, as in ADK.
 *
 * @param on Gets pieces of answers too, which the session does not keep.
 * @throws A refusal, 409, where the session cannot take a message now.
 */
export async function runTurn(
  session: ChatSession,
  agent: Agent,
  { content, stateDelta }: ChatMessage,
  on: (event: AdkEvent) => void,
): Promise<void> {
  checkReady(session, stateDelta);
  session.isBusy = true;
  const own = { invocationId: `e-${randomUUID()}`, startedAt: Date.now() };
  const before = session.events.length;
  const take = (given: AdkEvent): void => {
    const event = withIdentity(given, own.invocationId);
    if (session.events.length === before) session.events.push(userEvent(content, event, own.startedAt));
    if (event.partial !== true) session.events.push(event);
    on(event);
  };
  try {
    changeState(session, stateDelta);
    const turn = await send(session, agent, content, (event) => {
      if (isObject(event)) take(camelEvent(event));
    });
    const reported = session.events.slice(before);
    if (reported.length === 0) {
      for (const { author, content: said } of eventsOfInvocation(turn.invocation, agent.name)) {
        take({ author, content: jsonOf(said) });
      }
    }
    const { error } = turn;
    if (error !== undefined && !reported.some(({ errorCode }) => Boolean(errorCode))) {
      take({ author: agent.name, errorCode: error.code, errorMessage: error.message });
    }
    const events = session.events.slice(before);
    session.spans.push(
      ...adkSpans(session, turn.trace ?? [], { events, agentName: agent.name, startedAt: own.startedAt }),
    );
  } catch (error) {
    const { code, message } = toErrorInfo(error, 'AGENT_FAILED');
    take({ author: agent.name, errorCode: code, errorMessage: message });
  } finally {
    session.lastUpdateTime = Date.now() / 1000;
    session.isBusy = false;
  }
}

/** @throws A refusal, 409, where the session cannot take a message, or this state, now. */
export function checkReady(session: ChatSession, stateDelta: State): void {
  checkState(session, stateDelta);
  if (session.isBusy) {
    throw refusal(409, 'The agent is still answering in this session. Wait for it, or use another session.');
  }
  if (!session.isImported) return;
  throw refusal(
    409,
    'This session was imported: its agent knows nothing of it, so it cannot be continued. It can be read and saved as an eval case.',
  );
}

/** @throws A refusal, 409: an agent takes state only at the beginning. */
export function changeState(session: ChatSession, delta: State): void {
  checkState(session, delta);
  session.state = { ...session.state, ...delta };
  if (session.live === null) session.initialState = withoutMetadata(session.state);
}

function checkState({ live }: ChatSession, delta: State): void {
  if (live === null || Object.keys(delta).every(isMetadata)) return;
  throw refusal(
    409,
    'The conversation has begun, and an agent takes state only at its beginning: start a new session with it.',
  );
}

/** What ADK's own client keeps in a session, as the name that its list shows. */
function isMetadata(name: string): boolean {
  return name.startsWith('__session_metadata__');
}

function withoutMetadata(state: State): State {
  return Object.fromEntries(Object.entries(state).filter(([name]) => !isMetadata(name)));
}

async function send(
  session: ChatSession,
  agent: Agent,
  content: Content,
  on: (event: Json) => void,
): Promise<AgentTurn> {
  const { id, userId, stop } = session;
  const metadata = Object.entries(session.state).filter(([name]) => isMetadata(name));
  if (session.live === null) {
    const state = withoutMetadata(session.state);
    const key = { setId: 'studio', caseId: id, repeat: 0 };
    session.initialState = structuredClone(state);
    session.live = await agent.open({ key, userId, sessionId: id, state: structuredClone(state) }, stop.signal);
  }
  try {
    return await session.live.send(content, on);
  } finally {
    const now = await session.live.state().catch(() => null);
    if (now !== null) session.state = { ...structuredClone(now), ...Object.fromEntries(metadata) };
  }
}
