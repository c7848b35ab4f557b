import type { Content, ToolStep } from '@agent-criteria/core';

/** Something that an agent said or did in a turn. */
export interface TurnEvent {
  /** Unique in its repeat: the turn and the place in it, both from 0, as `0-2`. */
  readonly id: string;
  readonly author: string;
  readonly content: Content | null | undefined;
  /** As it was recorded. */
  readonly value: unknown;
}

/** The events in which a call was made and answered. */
export function eventsOfCall(events: readonly TurnEvent[], { call, response }: ToolStep): readonly string[] {
  return events
    .filter(({ content }) =>
      content?.parts?.some(
        (part) => part.functionCall === call || (response !== null && part.functionResponse === response),
      ),
    )
    .map(({ id }) => id);
}
