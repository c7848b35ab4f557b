import type { App } from '../apps/app.ts';
import { refusal } from '../http/refusal.ts';
import { withNewArtifacts } from './artifacts.ts';
import type { ChatSession } from './chat-session.ts';
import { type NewSession, newSession, type SessionOwner } from './new-session.ts';
import type { SessionFolder } from './session-folder.ts';
import { STUDIO_ENDED } from './stored-session.ts';

/** Maximum number of evaluation sessions; the most recently added ones are kept. */
const MOST_HIDDEN = 1000;
/** Milliseconds that an agent is given to hand over its artifacts when the studio ends. */
const GRACE = 2000;

export type SessionStore = ReturnType<typeof createSessionStore>;

/** Keeps sessions in memory and in their folder. The sessions of an app are read when they are first needed. */
export function createSessionStore(apps: readonly App[], folder: SessionFolder) {
  const sessions = new Set<ChatSession>();
  const hidden = new Set<ChatSession>();
  const opened = new Set<App>();
  const saving = new Set<Promise<void>>();
  const notices: string[] = [];

  function open(appName: string): void {
    const app = apps.find(({ name }) => name === appName);
    if (app === undefined || opened.has(app)) return;
    opened.add(app);
    const read = folder.read(app);
    for (const session of read.sessions) sessions.add(session);
    notices.push(...read.notices);
  }
  const ofApp = (appName: string): readonly ChatSession[] => {
    open(appName);
    return [...sessions].filter((one) => one.appName === appName);
  };
  const all = (appName: string) => [...ofApp(appName), ...[...hidden].filter((one) => one.appName === appName)];
  const list = ({ appName, userId }: SessionOwner) => ofApp(appName).filter((one) => one.userId === userId);
  // ADK's client asks for every session as its own user, also for those of eval cases, which have other users.
  const findFor = ({ appName, userId }: SessionOwner, id: string) =>
    all(appName).find((one) => one.id === id && (one.userId === userId || one.origin === 'evaluated'));
  const get = (owner: SessionOwner, id: string): ChatSession => {
    const found = findFor(owner, id);
    if (found === undefined) throw refusal(404, `Session not found: ${id}`);
    return found;
  };

  function write(session: ChatSession): void {
    const app = apps.find(({ name }) => name === session.appName);
    // It may have been deleted in the meantime.
    if (app !== undefined && sessions.has(session)) folder.save(app, session, ofApp(session.appName));
  }
  /** Stores what has changed in a session: at once, and once more when its agent has handed over new artifacts. */
  function save(session: ChatSession): void {
    write(session);
    if (session.turn !== null) return;
    const again = withNewArtifacts(session).then(
      (isNew) => {
        if (isNew) write(session);
      },
      // An agent whose process has ended has no artifacts left.
      () => undefined,
    );
    saving.add(again);
    void again.then(() => saving.delete(again));
  }

  return {
    /** Lists a user's sessions, newest last. */
    list,
    /** Finds a user's session, or one from an evaluation, whichever user its case has. */
    findFor,
    /** Returns what `findFor` finds. @throws A 404 refusal. */
    get,
    /** Searches the sessions of all of an app's users. */
    find: (appName: string, id: string) => all(appName).find((one) => one.id === id),
    ofApp: all,
    /** Lists the sessions of an app for all users, newest last. */
    listed: ofApp,
    /** Lists the files that were ignored. Reads the sessions of every app. */
    notices(): readonly string[] {
      for (const { name } of apps) open(name);
      return notices;
    },
    save,
    /** @throws A 409 refusal if the id already exists. */
    create(owner: SessionOwner, made: NewSession): ChatSession {
      const session = newSession(owner, made);
      if (list(owner).some((one) => one.id === session.id)) throw refusal(409, `Session already exists: ${session.id}`);
      sessions.add(session);
      save(session);
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
      const app = apps.find(({ name }) => name === owner.appName);
      if (app !== undefined && sessions.has(session)) folder.remove(app, session);
      sessions.delete(session);
      hidden.delete(session);
      await end(session);
    },
    /** Ends running turns and closes the agents' sessions. What was said stays in the folder. */
    async close(): Promise<void> {
      await Promise.all(
        [...sessions].map(async ({ turn }) => {
          turn?.stop(STUDIO_ENDED);
          await turn?.ended;
        }),
      );
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<void>((settle) => {
        timer = setTimeout(settle, GRACE);
      });
      await Promise.race([Promise.all(saving), late]);
      clearTimeout(timer);
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
