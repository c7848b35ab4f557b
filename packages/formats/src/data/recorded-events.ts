import { isInvocationEvents } from './accessors.ts';
import type { Content, Invocation } from './model.ts';
import { isOfMetadata } from './url-context.ts';

/** A session message, in the format of ADK's events. */
export interface RecordedEvent {
  readonly invocationId: string;
  readonly author: string;
  readonly content: Content;
}

/** Authors that do not name an agent of the app, and that ADK would mistake for another agent. */
const UNNAMED = ['agent', 'model', 'assistant', 'tool'];

/**
 * Converts a recorded turn to events for a session that continues after it: the user's message, the steps and the
 * answer.
 *
 * @param agentName The author of messages without one.
 * @param otherwise The invocation id to use if the turn has none.
 */
export function recordedEvents(invocation: Invocation, agentName: string, otherwise: string): readonly RecordedEvent[] {
  const { userContent, finalResponse, intermediateData: data } = invocation;
  const invocationId = invocation.invocationId || otherwise;
  const by = (author: string, content: Content | null | undefined): readonly RecordedEvent[] =>
    content?.parts?.length && !content.parts.every(isOfMetadata) ? [{ invocationId, author, content }] : [];
  if (data && isInvocationEvents(data)) {
    const nameOf = (author: string) => (UNNAMED.includes(author) ? agentName : author);
    const steps = (data.invocationEvents ?? []).flatMap(({ author, content }) => by(nameOf(author), content));
    return [...by('user', userContent), ...steps, ...by(agentName, finalResponse)];
  }
  // Ids pair responses with calls.
  const id = (place: number, known: string | null | undefined) => known || `${invocationId}-${place + 1}`;
  const calls = (data?.toolUses ?? []).map((call, place) => ({ functionCall: { ...call, id: id(place, call.id) } }));
  const responses = (data?.toolResponses ?? []).map((response, place) => ({
    functionResponse: { ...response, id: id(place, response.id) },
  }));
  return [
    ...by('user', userContent),
    ...by(agentName, { role: 'model', parts: calls }),
    ...by(agentName, { role: 'user', parts: responses }),
    ...by(agentName, finalResponse),
  ];
}
