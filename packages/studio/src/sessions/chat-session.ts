import type { AgentSession, SessionStart, State } from '@agent-criteria/core';
import type { AdkSpan } from '../traces/adk-span.ts';
import type { AdkEvent } from './event.ts';

/** A conversation with an agent, in memory until the studio is closed. */
export interface ChatSession {
  readonly id: string;
  readonly appName: string;
  readonly userId: string;
  /** `imported`: with events from a request. `evaluated`: a read-only record of an evaluation. */
  readonly origin: 'chat' | 'imported' | 'evaluated';
  /** The session whose messages it began with, if any. */
  readonly continues: string | null;
  /** State with which the agent began. */
  initialState: State;
  /** As reported by the agent after the last turn. */
  state: State;
  /** Without partial events that were completed. */
  readonly events: AdkEvent[];
  /** State before each message of the user, by event id, as far as known. */
  readonly statesBefore: Map<string, State>;
  /** Spans of all turns, in order. */
  readonly spans: AdkSpan[];
  /** Unix seconds. */
  lastUpdateTime: number;
  /** The session of the agent, once it is opened. */
  live: AgentSession | null;
  /** Artifacts in the history with which it began. */
  readonly artifacts: NonNullable<SessionStart['artifacts']>;
  /** Pending while the agent's session is being opened. */
  opening: Promise<AgentSession> | null;
  turn: RunningTurn | null;
  /** Closes the agent's session. */
  readonly stop: AbortController;
}

export interface RunningTurn {
  /** Stops the agent; events so far stay. */
  stop(): void;
  readonly ended: Promise<void>;
}

/** Formats a session as ADK's server does. @param withEvents `false` in lists. */
export function sessionAnswer(session: ChatSession, withEvents = true): object {
  const { id, appName, userId, state, events, lastUpdateTime } = session;
  return { id, appName, userId, state, events: withEvents ? events : [], lastUpdateTime };
}
