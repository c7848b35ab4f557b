import type { Json } from '@agent-criteria/core';
import type { EarlierTurn } from '@agent-criteria/core/host';
import { recordedEvents } from '@agent-criteria/formats';
import type { AdkEvent } from './adk-shapes.ts';

/** An event to append to a session; fields that ADK adds itself may be absent. */
export type NewEvent = AdkEvent & { readonly timestamp?: number };

/** Returns the events of earlier turns in order: reported events, or events built from the turn. */
export function historyEvents(history: readonly EarlierTurn[], agentName: string): readonly NewEvent[] {
  return history.flatMap(({ invocation, events }, turn): readonly NewEvent[] =>
    events === undefined ? recordedEvents(invocation, agentName, `e-earlier-${turn + 1}`) : events.flatMap(reported),
  );
}

function reported(event: Json): readonly NewEvent[] {
  const { partial, timestamp, ...rest } = Object(event) as NewEvent;
  if (partial) return [];
  // ADK for TypeScript uses milliseconds, other languages seconds: in seconds, 10^11 is the year 5138.
  const at = typeof timestamp === 'number' ? { timestamp: timestamp < 1e11 ? timestamp * 1000 : timestamp } : {};
  return [{ ...rest, ...at }];
}
