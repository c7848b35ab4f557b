import type { Content, ToolStep } from '@agent-criteria/core';

/** A message, call or result of an agent. */
export interface TurnEvent {
  /** Unique in its repeat, such as `0-2`: the turn and the position in it, both from 0. */
  readonly id: string;
  readonly author: string;
  readonly content: Content | null | undefined;
  /** The recorded event. */
  readonly value: unknown;
}

/** Ids of the events with a call and its result. */
export function eventsOfCall(events: readonly TurnEvent[], { call, response }: ToolStep): readonly string[] {
  return events
    .filter(({ content }) =>
      content?.parts?.some(
        (part) => part.functionCall === call || (response !== null && part.functionResponse === response),
      ),
    )
    .map(({ id }) => id);
}
