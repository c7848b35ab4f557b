import type { Json } from '@agent-criteria/core';
import type { EarlierTurn } from '@agent-criteria/core/host';
import { recordedEvents } from '@agent-criteria/formats';

/**
 * The events that a session begins with: those that a server reported, which it takes back as they are, else what the turn says.
 *
 * @param agentName Who speaks where the turn does not name the author. A server treats another name as another agent.
 */
export function earlierEvents(history: readonly EarlierTurn[], agentName: string): readonly Json[] {
  return history.flatMap(({ invocation, events }, turn) =>
    events === undefined
      ? recordedEvents(invocation, agentName, `e-earlier-${turn + 1}`).map(
          (event): Json => ({ ...event, content: event.content as Json }),
        )
      : events.filter((event) => Object(event).partial !== true),
  );
}
