import { randomUUID } from '@agent-criteria/calls';
import type { State } from '@agent-criteria/core';
import type { AdkSpan } from '../traces/adk-span.ts';
import type { ChatSession } from './chat-session.ts';
import type { AdkEvent } from './event.ts';

export interface SessionOwner {
  readonly appName: string;
  readonly userId: string;
}

export interface NewSession {
  /** Default: a random id. */
  readonly id: string | undefined;
  readonly state: State;
  /** The conversation so far. */
  readonly events: readonly AdkEvent[];
  /** Default `chat`. */
  readonly origin?: ChatSession['origin'] | undefined;
  /** The session whose messages the new one starts with. */
  readonly continues?: string | undefined;
  /** Default: `state`. */
  readonly initialState?: State | undefined;
  readonly spans?: readonly AdkSpan[] | undefined;
  readonly artifacts?: ChatSession['artifacts'] | undefined;
  readonly statesBefore?: Map<string, State> | undefined;
}

/** Creates a session without storing it. */
export function newSession(owner: SessionOwner, made: NewSession): ChatSession {
  return {
    ...owner,
    id: made.id ?? randomUUID(),
    origin: made.origin ?? 'chat',
    continues: made.continues ?? null,
    initialState: structuredClone(made.initialState ?? made.state),
    state: structuredClone(made.state),
    events: [...made.events],
    statesBefore: made.statesBefore ?? new Map(),
    spans: [...(made.spans ?? [])],
    lastUpdateTime: Date.now() / 1000,
    artifacts: made.artifacts ?? [],
    live: null,
    liveAgent: null,
    startedOver: [],
    messageKeys: [],
    opening: null,
    turn: null,
    stop: new AbortController(),
    unsaved: null,
  };
}
