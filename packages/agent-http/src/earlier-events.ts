import { type Content, type Invocation, isInvocationEvents, type Json } from '@agent-criteria/core';
import type { EarlierTurn } from '@agent-criteria/core/host';

/**
 * The events that a session begins with: those that a server reported, which it takes back as they are, else what the turn says.
 *
 * @param agentName Who speaks where the turn does not name the author. A server treats another name as another agent.
 */
export function earlierEvents(history: readonly EarlierTurn[], agentName: string): readonly Json[] {
  return history.flatMap(({ invocation, events }, turn) =>
    events === undefined
      ? ofTurn(invocation, agentName, `e-earlier-${turn + 1}`)
      : events.filter((event) => Object(event).partial !== true),
  );
}

/** Authors of recorded turns that name no agent of the app: it would take them for another agent. */
const UNNAMED = ['agent', 'model', 'assistant', 'tool'];

function ofTurn(invocation: Invocation, agentName: string, otherwise: string): readonly Json[] {
  const { userContent, finalResponse, intermediateData: data } = invocation;
  const invocationId = invocation.invocationId || otherwise;
  const by = (author: string, content: Content | null | undefined): readonly Json[] =>
    content?.parts?.length ? [{ invocationId, author, content: content as Json }] : [];
  if (data && isInvocationEvents(data)) {
    const nameOf = (author: string) => (UNNAMED.includes(author) ? agentName : author);
    const steps = (data.invocationEvents ?? []).flatMap(({ author, content }) => by(nameOf(author), content));
    return [...by('user', userContent), ...steps, ...by(agentName, finalResponse)];
  }
  // An answer belongs to its call by the id.
  const id = (place: number, known: string | null | undefined): string => known || `${invocationId}-${place + 1}`;
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
