import { randomUUID } from '@agent-criteria/calls';
import type { State } from '@agent-criteria/core';
import { refusal } from '../http/refusal.ts';
import type { AdkSpan } from '../traces/adk-span.ts';
import type { ChatSession } from './chat-session.ts';
import type { AdkEvent } from './event.ts';

/** Whose sessions they are. */
export interface SessionOwner {
  readonly appName: string;
  readonly userId: string;
}

export interface NewSession {
  /** Default: a random one. */
  readonly id: string | undefined;
  readonly state: State;
  /** What was said before. */
  readonly events: readonly AdkEvent[];
  /** Default `chat`. */
  readonly origin?: ChatSession['origin'];
  /** The session whose messages it begins with. Default: none. */
  readonly continues?: string;
  /** Default: `state`. */
  readonly initialState?: State;
  readonly spans?: readonly AdkSpan[];
  readonly artifacts?: ChatSession['artifacts'];
  readonly statesBefore?: Map<string, State>;
}

/** The sessions of this studio, by app and user. */
export interface SessionStore {
  /** The newest last. */
  list(owner: SessionOwner): readonly ChatSession[];
  /** @throws A refusal, 404. */
  get(owner: SessionOwner, id: string): ChatSession;
  /** Of an app, whoever the user is. */
  find(appName: string, id: string): ChatSession | undefined;
  ofApp(appName: string): readonly ChatSession[];
  /** Those of an app that a list shows, whoever the user is; the newest last. */
  listed(appName: string): readonly ChatSession[];
  /** @throws A refusal, 409, where there is one of this id. */
  create(owner: SessionOwner, made: NewSession): ChatSession;
  /** Keeps a session that can be opened, but is in no list: that of an evaluation. */
  keepHidden(session: ChatSession): void;
  /** @throws A refusal, 404. */
  remove(owner: SessionOwner, id: string): Promise<void>;
  /** Ends what agents hold. */
  close(): Promise<void>;
}

/** Evaluations have many; those that were looked at last are most likely looked at again. */
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
  // It may be behind a server that is gone.
  await live?.close().catch(() => undefined);
}
