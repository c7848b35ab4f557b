import { randomUUID } from '@agent-criteria/calls';
import type { Json, State } from '@agent-criteria/core';
import type { EarlierTurn } from '@agent-criteria/core/host';
import { recordedEvents } from '@agent-criteria/formats';
import type { AdkEvent, AdkModule, AdkRunner, AdkSession } from './adk-shapes.ts';

/**
 * Returns functions that write events to a session outside of a turn.
 *
 * @param runner The runner used only by this session.
 */
export function sessionEvents(
  { createEvent }: AdkModule,
  { appName, sessionService }: Pick<AdkRunner, 'appName' | 'sessionService'>,
  key: { readonly userId: string; readonly sessionId: string },
) {
  const cut = new Set<string>();
  const append = sessionService.appendEvent.bind(sessionService);
  sessionService.appendEvent = async (request) =>
    cut.has(request.event.invocationId ?? '') ? request.event : append(request);

  async function current(): Promise<AdkSession> {
    const session = await sessionService.getSession({ appName, ...key });
    if (session === undefined) throw new Error(`the session "${key.sessionId}" is gone`);
    return session;
  }
  async function appendAll(events: readonly object[]): Promise<void> {
    for (const event of events) await append({ session: await current(), event: createEvent(event) });
  }
  return {
    /** Appends earlier turns without running anything. */
    async append(history: readonly EarlierTurn[], agentName: string): Promise<void> {
      const events = historyEvents(history, agentName);
      await appendAll([...events, ...answersToOpenCalls(events)]);
    },
    async changeState(stateDelta: State): Promise<void> {
      // All the fields that ADK expects.
      const actions = { stateDelta, artifactDelta: {}, requestedAuthConfigs: {}, requestedToolConfirmations: {} };
      await appendAll([{ author: 'user', invocationId: `p-${randomUUID()}`, actions }]);
    },
    /** Cleans up after an interrupted turn: its later events are not written, and its open calls get responses. */
    async cutOff(invocationId: string): Promise<void> {
      cut.add(invocationId);
      const { events } = await current();
      await appendAll(answersToOpenCalls(events.filter((event) => event.invocationId === invocationId)));
    },
  };
}

/** An event to append to a session. Fields that ADK fills in may be absent. */
type NewEvent = AdkEvent & { readonly timestamp?: number };

/** Returns the events of earlier turns in order, either as reported or built from the turn. */
function historyEvents(history: readonly EarlierTurn[], agentName: string): readonly NewEvent[] {
  return history.flatMap(({ invocation, events }, turn): readonly NewEvent[] =>
    events === undefined ? recordedEvents(invocation, agentName, `e-earlier-${turn + 1}`) : events.flatMap(reported),
  );
}

function reported(event: Json): readonly NewEvent[] {
  const { partial, timestamp, ...rest } = Object(event) as NewEvent;
  if (partial) return [];
  // ADK for TypeScript uses milliseconds, and ADK for other languages seconds: 10^11 seconds would be the year 5138.
  const at = typeof timestamp === 'number' ? { timestamp: timestamp < 1e11 ? timestamp * 1000 : timestamp } : {};
  return [{ ...rest, ...at }];
}

/** The response that the agent sees for an interrupted tool. */
const CUT_OFF = { error: 'The turn was stopped before this tool answered. It may have done its work or not.' };

/**
 * Creates responses to calls left open when their turn was stopped, because models reject a conversation with an open
 * call. Calls to long-running tools stay open.
 */
function answersToOpenCalls(events: readonly AdkEvent[]): readonly AdkEvent[] {
  const answered = new Set(
    events.flatMap(({ content }) => (content?.parts ?? []).map(({ functionResponse }) => functionResponse?.id)),
  );
  return events.flatMap((event) => {
    const { author = 'agent', invocationId, content, longRunningToolIds = [], branch } = event;
    const open = (content?.parts ?? []).flatMap(({ functionCall: call }) =>
      call?.id && !answered.has(call.id) && !longRunningToolIds.includes(call.id) ? [call] : [],
    );
    if (open.length === 0) return [];
    const parts = open.map(({ id, name }) => ({ functionResponse: { id, name, response: CUT_OFF } }));
    return [{ author, invocationId, ...(branch === undefined ? {} : { branch }), content: { role: 'user', parts } }];
  });
}
