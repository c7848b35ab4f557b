import { randomUUID } from '@agent-criteria/calls';
import type { State } from '@agent-criteria/core';
import { refusal } from '../http/refusal.ts';
import type { ChatSession } from './chat-session.ts';
import { isMessage } from './event.ts';
import { withIdentity } from './event-identity.ts';

/**
 * Changes the state between two turns and records the change as an event, as ADK does.
 * @throws A 409 refusal if the agent is answering or accepts state only at the start.
 */
export async function changeState(session: ChatSession, delta: State): Promise<void> {
  checkState(session, delta);
  if (session.turn !== null && Object.keys(withoutMetadata(delta)).length > 0) {
    throw refusal(409, 'The agent is answering. Change the state afterwards.');
  }
  const isBegun = await applyState(session, delta);
  if (!isBegun) return;
  const actions = { stateDelta: withoutMetadata(delta), artifactDelta: {} };
  session.events.push(withIdentity({ author: 'user', actions }, `p-${randomUUID()}`));
  session.lastUpdateTime = Date.now() / 1000;
}

/** Changes the state without recording an event. @returns whether the conversation had begun. */
export async function applyState(session: ChatSession, delta: State): Promise<boolean> {
  checkState(session, delta);
  const own = withoutMetadata(delta);
  const hasBegun = (session.live !== null || session.events.some(isMessage)) && Object.keys(own).length > 0;
  if (hasBegun) await session.live?.changeState?.(structuredClone(own));
  session.state = { ...session.state, ...structuredClone(delta) };
  if (session.live === null && session.events.length === 0) session.initialState = withoutMetadata(session.state);
  return hasBegun;
}

/** @throws A 409 refusal. */
export function checkState({ live, origin }: ChatSession, delta: State): void {
  if (Object.keys(delta).every(isMetadata)) return;
  if (origin === 'evaluated') throw refusal(409, 'This session is a record of an evaluation: it cannot be changed.');
  if (live === null || live.changeState !== undefined) return;
  throw refusal(
    409,
    'The conversation has begun, and this agent takes state only at its beginning: start a new session with it.',
  );
}

/** Whether a state key belongs to ADK's own client, which stores metadata such as the display name in a session. */
export function isMetadata(name: string): boolean {
  return name.startsWith('__session_metadata__');
}

export function withoutMetadata(state: State): State {
  return Object.fromEntries(Object.entries(state).filter(([name]) => !isMetadata(name)));
}
