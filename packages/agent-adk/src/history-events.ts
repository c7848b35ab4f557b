import { type Invocation, isInvocationEvents, type Json } from '@agent-criteria/core';
import type { EarlierTurn } from '@agent-criteria/core/host';
import type { AdkEvent } from './adk-shapes.ts';

/** An event to be appended to a session: what ADK adds itself may be absent. */
export type NewEvent = AdkEvent & { readonly timestamp?: number };

/** The events of earlier turns, in their order and whole: those that were reported, else what the turn says. */
export function historyEvents(history: readonly EarlierTurn[], agentName: string): readonly NewEvent[] {
  return history.flatMap(({ invocation, events }, turn) =>
    events === undefined ? told(invocation, agentName, `e-earlier-${turn + 1}`) : events.flatMap(reported),
  );
}

function reported(event: Json): readonly NewEvent[] {
  const { partial, timestamp, ...rest } = Object(event) as NewEvent;
  if (partial) return [];
  // ADK for TypeScript counts milliseconds, the other languages seconds: in seconds, 10^11 is the year 5138.
  const at = typeof timestamp === 'number' ? { timestamp: timestamp < 1e11 ? timestamp * 1000 : timestamp } : {};
  return [{ ...rest, ...at }];
}

/** Authors of recorded turns that name no agent of the app: it would take them for another agent. */
const UNNAMED = ['agent', 'model', 'assistant', 'tool'];

function told(invocation: Invocation, agentName: string, otherwise: string): readonly NewEvent[] {
  const { userContent, finalResponse, intermediateData: data, invocationId = otherwise } = invocation;
  const by = (author: string, content: NewEvent['content']) =>
    content?.parts?.length ? [{ invocationId, author, content }] : [];
  if (data && isInvocationEvents(data)) {
    const nameOf = (author: string) => (UNNAMED.includes(author) ? agentName : author);
    const steps = (data.invocationEvents ?? []).flatMap(({ author, content }) => by(nameOf(author), content));
    return [...by('user', userContent), ...steps, ...by(agentName, finalResponse)];
  }
  // An answer belongs to its call by the id.
  const id = (place: number, known: string | null | undefined) => known || `${invocationId}-${place + 1}`;
  const calls = (data?.toolUses ?? []).map((call, place) => ({
    functionCall: { ...call, id: id(place, call.id) },
  }));
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
