import { randomUUID } from '@agent-criteria/calls';
import type { State } from '@agent-criteria/core';
import type { EarlierTurn } from '@agent-criteria/core/host';
import type { AdkModule, AdkRunner, AdkSession } from './adk-shapes.ts';
import { historyEvents } from './history-events.ts';
import { answersToOpenCalls } from './open-calls.ts';

/** Writes events into a session besides those of its turns. */
export interface SessionEvents {
  /** Appends earlier turns without running anything. */
  append(history: readonly EarlierTurn[], agentName: string): Promise<void>;
  changeState(delta: State): Promise<void>;
  /** Ends an interrupted turn: its later events are not written, and its open calls are answered. */
  cutOff(invocationId: string): Promise<void>;
}

/** @param runner The runner of this session only. */
export function sessionEvents(
  { createEvent }: AdkModule,
  { appName, sessionService }: Pick<AdkRunner, 'appName' | 'sessionService'>,
  key: { readonly userId: string; readonly sessionId: string },
): SessionEvents {
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
    async append(history, agentName) {
      const events = historyEvents(history, agentName);
      await appendAll([...events, ...answersToOpenCalls(events)]);
    },
    async changeState(delta) {
      await appendAll([{ author: 'user', invocationId: `p-${randomUUID()}`, actions: actionsOf(delta) }]);
    },
    async cutOff(invocationId) {
      cut.add(invocationId);
      const { events } = await current();
      await appendAll(answersToOpenCalls(events.filter((event) => event.invocationId === invocationId)));
    },
  };
}

/** Creates actions with all fields that ADK expects. */
function actionsOf(stateDelta: State): object {
  return { stateDelta, artifactDelta: {}, requestedAuthConfigs: {}, requestedToolConfirmations: {} };
}
