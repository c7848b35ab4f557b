import type { AgentSession, SessionStart, State } from '@agent-criteria/core';
import type { AdkSpan } from '../traces/adk-span.ts';
import type { AdkEvent } from './event.ts';

/** A conversation with an agent. Kept in memory: it is gone when the studio ends. */
export interface ChatSession {
  readonly id: string;
  readonly appName: string;
  readonly userId: string;
  /** `imported`: its events were given. `evaluated`: a record of an evaluation, which is never continued. */
  readonly origin: 'chat' | 'imported' | 'evaluated';
  /** The session whose messages it began with; `null`: it began with none. */
  readonly continues: string | null;
  /** What the agent began with. */
  initialState: State;
  /** As the agent reported it after the last turn. */
  state: State;
  /** Without pieces of what came whole later. */
  readonly events: AdkEvent[];
  /** The state before each message of the user, by the id of its event; absent: it is not known. */
  readonly statesBefore: Map<string, State>;
  /** Of all turns, in their order. */
  readonly spans: AdkSpan[];
  /** Unix seconds. */
  lastUpdateTime: number;
  /** The agent's side; `null`: it was not needed yet. */
  live: AgentSession | null;
  /** What the agent had saved in the messages that it began with. */
  readonly artifacts: NonNullable<SessionStart['artifacts']>;
  /** While the agent's side begins. */
  opening: Promise<AgentSession> | null;
  /** The turn under way; `null`: there is none. */
  turn: RunningTurn | null;
  /** Ends the agent's side. */
  readonly stop: AbortController;
}

export interface RunningTurn {
  /** Stops the agent; what came so far stays. */
  stop(): void;
  readonly ended: Promise<void>;
}

/** As ADK's server answers it. @param withEvents Lists leave them out. */
export function sessionAnswer(session: ChatSession, withEvents = true): object {
  const { id, appName, userId, state, events, lastUpdateTime } = session;
  return { id, appName, userId, state, events: withEvents ? events : [], lastUpdateTime };
}
