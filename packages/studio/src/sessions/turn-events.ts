import { randomUUID } from '@agent-criteria/calls';
import type { Invocation } from '@agent-criteria/core';
import type { AdkEvent } from './chat-session.ts';
import { jsonOf, userEvent, withIdentity } from './event-identity.ts';
import { eventsOfInvocation } from './events-of-invocation.ts';

/** A recorded turn as a session has it: the user's event, then the agent's. @param author Who answered. */
export function turnEvents(invocation: Invocation, author: string): readonly AdkEvent[] {
  const { userContent, creationTimestamp } = invocation;
  const invocationId = invocation.invocationId || `e-${randomUUID()}`;
  const timestamp = creationTimestamp || 0;
  const said = eventsOfInvocation(invocation, author).map(({ author: by, content }) =>
    withIdentity({ author: by, content: jsonOf(content), timestamp }, invocationId),
  );
  return [userEvent(userContent, { invocationId }, timestamp), ...said];
}
