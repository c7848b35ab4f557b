import type { Agent, AgentSession, SessionStart, State } from '@agent-criteria/core';
import type { AdkSpan } from '../traces/adk-span.ts';
import type { AdkEvent } from './event.ts';

/** A conversation with an agent, kept in memory until the studio is closed. */
export interface ChatSession {
  readonly id: string;
  readonly appName: string;
  readonly userId: string;
  /** `imported`: with events from a request. `evaluated`: a read-only record of an evaluation. */
  readonly origin: 'chat' | 'imported' | 'evaluated';
  /** The session whose messages this one starts with, if any. */
  readonly continues: string | null;
  /** State that the agent started with. */
  initialState: State;
  /** State as reported by the agent after the last turn. */
  state: State;
  /** Excludes partial events that were completed later. */
  readonly events: AdkEvent[];
  /** State before each user message, by event id, where it is known. */
  readonly statesBefore: Map<string, State>;
  /** Spans of all turns, in order. */
  readonly spans: AdkSpan[];
  /** Unix seconds. */
  lastUpdateTime: number;
  /** The agent's session, once it has been opened. */
  live: AgentSession | null;
  /** The agent that `live` belongs to. Its code may be older than that on disk. */
  liveAgent: Agent | null;
  /** The ids of the messages before which the agent started over, because its code had changed and it takes no history. */
  readonly startedOver: string[];
  /** Artifacts in the history that the session started with. */
  readonly artifacts: NonNullable<SessionStart['artifacts']>;
  /** Pending while the agent's session is being opened. */
  opening: Promise<AgentSession> | null;
  turn: RunningTurn | null;
  /** Aborting this closes the agent's session. */
  readonly stop: AbortController;
}

export interface RunningTurn {
  /** Stops the agent; its events so far are kept. */
  stop(): void;
  readonly ended: Promise<void>;
}

/** Formats a session as ADK's server does. @param withEvents `false` for lists. */
export function sessionAnswer(session: ChatSession, withEvents = true): object {
  const { id, appName, userId, state, events, lastUpdateTime } = session;
  return { id, appName, userId, state, events: withEvents ? events : [], lastUpdateTime };
}
