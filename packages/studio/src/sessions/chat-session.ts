import type { Agent, AgentSession, Content, SessionStart, State } from '@agent-criteria/core';
import type { AdkSpan } from '../traces/adk-span.ts';
import type { AdkEvent } from './event.ts';

/** A conversation with an agent. Those with a person are stored, and outlive the studio. */
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
  /** The keys of the latest messages, which are not sent to the agent again. */
  messageKeys: readonly string[];
  /** Artifacts for the next time that the agent's session is opened, oldest version first. */
  artifacts: NonNullable<SessionStart['artifacts']>;
  /** Pending while the agent's session is being opened. */
  opening: Promise<AgentSession> | null;
  turn: RunningTurn | null;
  /** Aborting this closes the agent's session. */
  readonly stop: AbortController;
  /** Why what is new is only in memory, in a complete sentence, or `null` if it is stored. */
  unsaved: string | null;
}

export interface RunningTurn {
  /** The user's message. */
  readonly message: Content;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** Place of the turn's first event in the session. */
  readonly from: number;
  /** The agent's events so far. The last one is partial while it is being said. */
  events(): readonly AdkEvent[];
  /** Subscribes to later events, partial ones as well. @returns a function that unsubscribes. */
  watch(watcher: (event: AdkEvent) => void): () => void;
  /** Stops the agent; its events so far are kept. @param why Default: the user stopped it. */
  stop(why?: string): void;
  /** Settles with why the turn never began, or `null` if it did. */
  readonly ended: Promise<string | null>;
}

/** Formats a session as ADK's server does. @param withEvents `false` for lists. */
export function sessionAnswer(session: ChatSession, withEvents = true): object {
  const { id, appName, userId, state, events, lastUpdateTime } = session;
  return { id, appName, userId, state, events: withEvents ? events : [], lastUpdateTime };
}
