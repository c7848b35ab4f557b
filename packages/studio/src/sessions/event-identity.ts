import { randomUUID } from '@agent-criteria/calls';
import type { Content, Json } from '@agent-criteria/core';
import type { AdkEvent } from './chat-session.ts';

/** With all that ADK's clients look at. Times are in seconds, as in Python. */
export function withIdentity(event: AdkEvent, invocationId: string): AdkEvent {
  const { timestamp } = event;
  const at = typeof timestamp === 'number' ? timestamp : Date.now();
  return {
    ...event,
    id: textOr(event.id, randomUUID()),
    invocationId: textOr(event.invocationId, invocationId),
    actions: event.actions ?? { stateDelta: {}, artifactDelta: {} },
    timestamp: at > 1e11 ? at / 1000 : at,
  };
}

/** What the user said, as the first event of a turn. @param next The event after it. */
export function userEvent(content: Content, { invocationId = '' }: AdkEvent, at: number): AdkEvent {
  return withIdentity({ author: 'user', content: jsonOf(content), timestamp: at }, String(invocationId));
}

function textOr(value: Json | undefined, otherwise: string): string {
  return typeof value === 'string' && value !== '' ? value : otherwise;
}

/** A copy, which nothing that the agent keeps can change. */
export function jsonOf(value: object): Json {
  return JSON.parse(JSON.stringify(value)) as Json;
}
