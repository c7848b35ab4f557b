import type { Content, ToolStep } from '@agent-criteria/core';

/** An agent's message, call or result. */
export interface TurnEvent {
  /** Unique within the repeat, such as `0-2`: the turn and the position in it, both zero-based. */
  readonly id: string;
  readonly author: string;
  readonly content: Content | null | undefined;
  /** The event as recorded. */
  readonly value: unknown;
}

/** Returns the ids of the events with a call and its result. */
export function eventsOfCall(events: readonly TurnEvent[], { call, response }: ToolStep): readonly string[] {
  return events
    .filter(({ content }) =>
      content?.parts?.some(
        (part) => part.functionCall === call || (response !== null && part.functionResponse === response),
      ),
    )
    .map(({ id }) => id);
}
