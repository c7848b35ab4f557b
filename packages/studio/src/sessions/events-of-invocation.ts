import {
  type Content,
  type Invocation,
  isInvocationEvents,
  type Part,
  toolCalls,
  toolResponses,
} from '@agent-criteria/core';

/** An event without an id or time. */
export interface SaidEvent {
  readonly author: string;
  readonly content: Content;
}

/**
 * Derives the events of a turn for agents that do not report events, such as functions.
 * @param author The agent that answered.
 */
export function eventsOfInvocation(invocation: Invocation, author: string): readonly SaidEvent[] {
  const { finalResponse } = invocation;
  const answer = finalResponse ? [{ author, content: finalResponse }] : [];
  return [...stepsOf(invocation, author), ...answer];
}

function stepsOf(invocation: Invocation, author: string): readonly SaidEvent[] {
  const { intermediateData } = invocation;
  if (intermediateData && isInvocationEvents(intermediateData)) {
    return (intermediateData.invocationEvents ?? []).flatMap((event) =>
      event.content ? [{ author: event.author, content: event.content }] : [],
    );
  }
  const of = (role: string, parts: readonly Part[]) =>
    parts.length === 0 ? [] : [{ author, content: { role, parts: [...parts] } }];
  return [
    ...of(
      'model',
      toolCalls(invocation).map((functionCall) => ({ functionCall })),
    ),
    ...of(
      'user',
      toolResponses(invocation).map((functionResponse) => ({ functionResponse })),
    ),
  ];
}
