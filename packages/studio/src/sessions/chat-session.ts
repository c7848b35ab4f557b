import type { AgentSession, Json, State } from '@agent-criteria/core';
import type { AdkSpan } from '../traces/adk-span.ts';

/** An event of ADK, in camel case. */
export type AdkEvent = Readonly<Record<string, Json>>;

/** A conversation with an agent. Kept in memory: it is gone when the studio ends. */
export interface ChatSession {
  readonly id: string;
  readonly appName: string;
  readonly userId: string;
  /** What the agent began with. */
  initialState: State;
  /** As the agent reported it after the last turn. */
  state: State;
  /** Without pieces of what came whole later. */
  readonly events: AdkEvent[];
  /** Of all turns, in their order. */
  readonly spans: AdkSpan[];
  /** Unix seconds. */
  lastUpdateTime: number;
  /** The agent's side; `null`: no message was sent yet. */
  live: AgentSession | null;
  /** Whether its events were given, so that the agent knows nothing of them. */
  readonly isImported: boolean;
  /** Whether a turn is under way. */
  isBusy: boolean;
  /** Ends the agent's side. */
  readonly stop: AbortController;
}

/** As ADK's server answers it. @param withEvents Lists leave them out. */
export function sessionAnswer(session: ChatSession, withEvents = true): object {
  const { id, appName, userId, state, events, lastUpdateTime } = session;
  return { id, appName, userId, state, events: withEvents ? events : [], lastUpdateTime };
}
