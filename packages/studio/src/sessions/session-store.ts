import { randomUUID } from '@agent-criteria/calls';
import type { State } from '@agent-criteria/core';
import { refusal } from '../http/refusal.ts';
import type { AdkSpan } from '../traces/adk-span.ts';
import type { ChatSession } from './chat-session.ts';
import type { AdkEvent } from './event.ts';

/** Owner of sessions. */
export interface SessionOwner {
  readonly appName: string;
  readonly userId: string;
}

export interface NewSession {
  /** Default: random. */
  readonly id: string | undefined;
  readonly state: State;
  /** The history. */
  readonly events: readonly AdkEvent[];
  /** Default `chat`. */
  readonly origin?: ChatSession['origin'];
  /** The session whose messages it begins with. */
  readonly continues?: string;
  /** Default: `state`. */
  readonly initialState?: State;
  readonly spans?: readonly AdkSpan[];
  readonly artifacts?: ChatSession['artifacts'];
  readonly statesBefore?: Map<string, State>;
}

export interface SessionStore {
  /** Newest last. */
  list(owner: SessionOwner): readonly ChatSession[];
  /** @throws A refusal, 404. */
  get(owner: SessionOwner, id: string): ChatSession;
  /** Searches sessions of all users of an app. */
  find(appName: string, id: string): ChatSession | undefined;
  ofApp(appName: string): readonly ChatSession[];
  /** Sessions of an app for lists, of all users; newest last. */
  listed(appName: string): readonly ChatSession[];
  /** @throws A refusal, 409, if the id exists. */
  create(owner: SessionOwner, made: NewSession): ChatSession;
  /** Keeps a session of an evaluation, which can be opened, but is not listed. */
  keepHidden(session: ChatSession): void;
  /** @throws A refusal, 404. */
  remove(owner: SessionOwner, id: string): Promise<void>;
  /** Closes all sessions of agents. */
  close(): Promise<void>;
}

/** Limit for sessions of evaluations; the most recently added stay. */
const MOST_HIDDEN = 1000;

export function createSessionStore(): SessionStore {
  const sessions = new Set<ChatSession>();
  const hidden = new Set<ChatSession>();
  const all = () => [...sessions, ...hidden];
  const list = ({ appName, userId }: SessionOwner) =>
    [...sessions].filter((one) => one.appName === appName && one.userId === userId);
  const get = (owner: SessionOwner, id: string): ChatSession => {
    const isIt = (one: ChatSession) => one.id === id && one.appName === owner.appName && one.userId === owner.userId;
    const found = all().find(isIt);
    if (found === undefined) throw refusal(404, `Session not found: ${id}`);
    return found;
  };
  return {
    list,
    get,
    find: (appName, id) => all().find((one) => one.appName === appName && one.id === id),
    ofApp: (appName) => all().filter((one) => one.appName === appName),
    listed: (appName) => [...sessions].filter((one) => one.appName === appName),
    create(owner, made) {
      const { id = randomUUID(), state, events } = made;
      if (list(owner).some((one) => one.id === id)) throw refusal(409, `Session already exists: ${id}`);
      const session: ChatSession = {
        ...owner,
        id,
        origin: made.origin ?? 'chat',
        continues: made.continues ?? null,
        initialState: structuredClone(made.initialState ?? state),
        state: structuredClone(state),
        events: [...events],
        statesBefore: made.statesBefore ?? new Map(),
        spans: [...(made.spans ?? [])],
        lastUpdateTime: Date.now() / 1000,
        artifacts: made.artifacts ?? [],
        live: null,
        opening: null,
        turn: null,
        stop: new AbortController(),
      };
      sessions.add(session);
      return session;
    },
    keepHidden(session) {
      for (const one of hidden) if (one.id === session.id && one.appName === session.appName) hidden.delete(one);
      hidden.add(session);
      const [oldest] = hidden;
      if (hidden.size > MOST_HIDDEN && oldest !== undefined) hidden.delete(oldest);
    },
    async remove(owner, id) {
      const session = get(owner, id);
      sessions.delete(session);
      hidden.delete(session);
      await end(session);
    },
    async close() {
      await Promise.all([...sessions].map(end));
      sessions.clear();
    },
  };
}

async function end({ stop, live }: ChatSession): Promise<void> {
  stop.abort(new Error('the session was closed'));
  // The server of the agent may be gone.
  await live?.close().catch(() => undefined);
}
