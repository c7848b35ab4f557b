import { randomUUID } from '@agent-criteria/calls';
import type { Json, State } from '@agent-criteria/core';
import { isObject } from '@agent-criteria/formats';
import { type AdkEvent, isMessage } from './event.ts';
import { camelEvent, withIdentity } from './event-identity.ts';

/** Completes events of a request with ids, times and turns. */
export function importedEvents(given: readonly Readonly<Record<string, unknown>>[]): readonly AdkEvent[] {
  let turn = `e-${randomUUID()}`;
  return given.map(camelEvent).map((event) => {
    if (isMessage(event)) turn = `e-${randomUUID()}`;
    return withIdentity(event, turn);
  });
}

/**
 * Reconstructs the state before each message, by event id. Keys that the conversation sets later are omitted, because their
 * earlier values are unknown.
 *
 * @param state After all events.
 */
export function statesBefore(events: readonly AdkEvent[], state: State): Map<string, State> {
  const deltas = events.map(({ actions }) => {
    const delta = isObject(actions) ? actions.stateDelta : undefined;
    return isObject(delta) ? (delta as Readonly<Record<string, Json>>) : {};
  });
  const set = new Set(deltas.flatMap((delta) => Object.keys(delta)));
  const now: Record<string, Json | undefined> = Object.fromEntries(
    Object.entries(state).filter(([key]) => !set.has(key)),
  );
  const found = new Map<string, State>();
  for (const [place, event] of events.entries()) {
    if (isMessage(event)) found.set(String(event.id), structuredClone(now) as State);
    Object.assign(now, deltas[place]);
  }
  return found;
}
