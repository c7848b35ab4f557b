import { randomUUID } from '@agent-criteria/calls';
import type { State } from '@agent-criteria/core';
import { refusal } from '../http/refusal.ts';
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
  readonly origin?: ChatSession['origin'];
  /** The session whose messages the new one starts with. */
  readonly continues?: string;
  /** Default: `state`. */
  readonly initialState?: State;
  readonly spans?: readonly AdkSpan[];
  readonly artifacts?: ChatSession['artifacts'];
  readonly statesBefore?: Map<string, State>;
}

/** Maximum number of evaluation sessions; the most recently added ones are kept. */
const MOST_HIDDEN = 1000;

export type SessionStore = ReturnType<typeof createSessionStore>;

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
    opening: null,
    turn: null,
    stop: new AbortController(),
  };
}

export function createSessionStore() {
  const sessions = new Set<ChatSession>();
  const hidden = new Set<ChatSession>();
  const all = () => [...sessions, ...hidden];
  const list = ({ appName, userId }: SessionOwner) =>
    [...sessions].filter((one) => one.appName === appName && one.userId === userId);
  // ADK's client asks for every session as its own user, also for those of eval cases, which have other users.
  const findFor = ({ appName, userId }: SessionOwner, id: string) =>
    all().find(
      (one) => one.id === id && one.appName === appName && (one.userId === userId || one.origin === 'evaluated'),
    );
  const get = (owner: SessionOwner, id: string): ChatSession => {
    const found = findFor(owner, id);
    if (found === undefined) throw refusal(404, `Session not found: ${id}`);
    return found;
  };
  return {
    /** Lists a user's sessions, newest last. */
    list,
    /** Finds a user's session, or one from an evaluation, whichever user its case has. */
    findFor,
    /** Returns what `findFor` finds. @throws A 404 refusal. */
    get,
    /** Searches the sessions of all of an app's users. */
    find: (appName: string, id: string) => all().find((one) => one.appName === appName && one.id === id),
    ofApp: (appName: string) => all().filter((one) => one.appName === appName),
    /** Lists the sessions of an app for all users, newest last. */
    listed: (appName: string) => [...sessions].filter((one) => one.appName === appName),
    /** @throws A 409 refusal if the id already exists. */
    create(owner: SessionOwner, made: NewSession): ChatSession {
      const session = newSession(owner, made);
      if (list(owner).some((one) => one.id === session.id)) throw refusal(409, `Session already exists: ${session.id}`);
      sessions.add(session);
      return session;
    },
    /** Keeps a session from an evaluation, which can be opened but is not listed. */
    keepHidden(session: ChatSession): void {
      for (const one of hidden) if (one.id === session.id && one.appName === session.appName) hidden.delete(one);
      hidden.add(session);
      const [oldest] = hidden;
      if (hidden.size > MOST_HIDDEN && oldest !== undefined) hidden.delete(oldest);
    },
    /** @throws A 404 refusal. */
    async remove(owner: SessionOwner, id: string): Promise<void> {
      const session = get(owner, id);
      sessions.delete(session);
      hidden.delete(session);
      await end(session);
    },
    /** Closes the agents' sessions. */
    async close(): Promise<void> {
      await Promise.all([...sessions].map(end));
      sessions.clear();
    },
  };
}

async function end({ stop, live }: ChatSession): Promise<void> {
  stop.abort(new Error('the session was closed'));
  // The agent's server may be gone.
  await live?.close().catch(() => undefined);
}
