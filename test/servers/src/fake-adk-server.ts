import { type Fault, faults, type Reply } from './faults.ts';
import { type FakeServer, type SeenRequest, type ServerOptions, startServer } from './http-server.ts';

/** ADK's server, in the languages and releases between which a client sees differences. */
export type AdkDialect =
  /** Newer releases: the session id is in the body, and there is `/app-info`. */
  | 'python'
  /** Earlier releases: the body of `/sessions/<id>` is the state. */
  | 'python-1.0'
  | 'typescript'
  | 'java'
  /** Python with sessions on Agent Engine, which chooses every id itself. */
  | 'agent-engine';

export interface FakeAdkSession {
  readonly id: string;
  readonly appName: string;
  readonly userId: string;
  readonly state: Record<string, unknown>;
  readonly events: object[];
  readonly lastUpdateTime: number;
}

/** The request to an agent. */
export interface AdkAsked {
  readonly text: string;
  /** The message as received. */
  readonly message: unknown;
  /** The session, which the agent may change. */
  readonly session: FakeAdkSession;
  /** The index of the message in the session, from 0. */
  readonly turn: number;
  readonly streaming: boolean;
}

/**
 * An agent: yields the events of a turn, such as `{ content, actions, … }`; author, ids and times are added. An error
 * thrown after `yield` breaks off the turn in the same way as the real server.
 */
export type FakeAdkAgent = (asked: AdkAsked) => Iterable<object>;

export interface FakeAdkOptions extends ServerOptions {
  readonly dialect?: AdkDialect;
  /** Agents by app name. Default: `my_app`, which echoes everything. */
  readonly apps?: Readonly<Record<string, FakeAdkAgent>>;
  /** The required bearer token. Default: none. */
  readonly token?: string;
  /** The spelling of event keys. Default `camel`. */
  readonly spelling?: 'camel' | 'snake';
  /** Routes that the server lacks, such as `/run`. Default: none. */
  readonly without?: readonly string[];
  /** Whether it ignores the state that a session is created with. Default `false`. */
  readonly forgetful?: boolean;
  /** A message that is never answered. Default: none. */
  readonly silentOn?: string;
  /** The files in every session, each with its versions. Default: none. */
  readonly artifacts?: Readonly<Record<string, readonly object[]>>;
  /** The response of `/app-info` in the dialect `python`, by app. Default: none. */
  readonly appInfo?: Readonly<Record<string, object>>;
}

export interface FakeAdkServer extends FakeServer {
  /** The current sessions. */
  readonly sessions: readonly FakeAdkSession[];
}

/** Creates the event of an agent's text answer. */
export function says(text: string): object {
  return { content: { role: 'model', parts: [{ text }] } };
}

/**
 * Starts a fake of ADK's REST server: apps, sessions, `/run` and `/run_sse`, as provided by servers of this dialect.
 */
export async function startFakeAdkServer(options: FakeAdkOptions = {}): Promise<FakeAdkServer> {
  const { dialect = 'python', apps = { my_app: ({ text }) => [says(text)] }, token, without = [] } = options;
  const sessions = new Map<string, FakeAdkSession>();
  const isPython = dialect !== 'typescript' && dialect !== 'java';
  let ids = 0;

  const no = (status: number, text: string): Reply => {
    if (isPython) return { status, body: { detail: text } };
    if (dialect === 'java') return { status, body: { timestamp: 0, status, error: 'Error', message: text, path: '/' } };
    return { status, body: { error: text } };
  };
  const yes = (body: object): Reply => ({ status: 200, body });
  const noRoute = ({ method, path }: SeenRequest): Reply =>
    dialect === 'typescript'
      ? { status: 404, body: `<!DOCTYPE html><html><body><pre>Cannot ${method} ${path}</pre></body></html>` }
      : no(404, 'Not Found');
  const keyOf = (app: string, user: string, id: string) => JSON.stringify([app, user, id]);

  function create(app: string, user: string, id: string | null, state: unknown, events: unknown = []): Reply {
    if (id !== null && dialect === 'agent-engine') return no(500, 'User-provided session ids are not supported');
    const known = id ?? `made-${++ids}`;
    const key = keyOf(app, user, known);
    if (sessions.has(key)) return no(dialect === 'python' ? 409 : 400, `Session already exists: ${known}`);
    const kept = options.forgetful === true || !isObject(state) ? {} : structuredClone(state);
    const own = Array.isArray(events) ? events : [];
    const session = { id: known, appName: app, userId: user, state: kept, events: own, lastUpdateTime: ++ids };
    sessions.set(key, session);
    return yes(session);
  }

  function begin(app: string, user: string, id: string | null, body: unknown): Reply {
    const asked = isObject(body) ? body : {};
    if (!isPython) return create(app, user, id, asked.state);
    if (id !== null) return create(app, user, id, asked);
    const given = dialect === 'python' ? (asked.sessionId ?? asked.session_id) : null;
    const events = dialect === 'python-1.0' ? [] : asked.events;
    return create(app, user, typeof given === 'string' ? given : null, asked.state, events);
  }

  function artifact(name: string | undefined, version: string | undefined): Reply | null {
    const { artifacts = {} } = options;
    if (name === undefined) return yes(Object.keys(artifacts));
    const versions = artifacts[decodeURIComponent(name)];
    if (versions === undefined) return null;
    const body = version === undefined ? [...versions.keys()] : versions[Number(version)];
    return body === undefined ? null : yes(body);
  }

  function run(body: unknown, isStream: boolean): Fault {
    const asked = isObject(body) ? body : {};
    const value = (name: string) => asked[name] ?? asked[snake(name)];
    const [app, user, id] = ['appName', 'userId', 'sessionId'].map((name) => String(value(name)));
    const message = value('newMessage');
    if (!isObject(message) || !Array.isArray(message.parts)) return no(422, 'newMessage has no parts');
    const session = sessions.get(keyOf(app ?? '', user ?? '', id ?? ''));
    if (session === undefined) return no(404, `Session not found: ${id}`);
    const agent = Object.hasOwn(apps, app ?? '') ? apps[app ?? ''] : undefined;
    const events: object[] = [];
    let broken: Error | null = agent === undefined ? new Error(`no agent of the name ${app}`) : null;
    const turn = session.events.length;
    session.events.push({ author: 'user' });
    const text = message.parts.map((part: { text?: string }) => part.text ?? '').join('');
    if (text === options.silentOn) return faults.hang;
    try {
      for (const event of agent?.({ text, message, session, turn, streaming: value('streaming') === true }) ?? []) {
        const at = Date.now();
        const whole = {
          id: `event-${++ids}`,
          invocationId: `e-${id}-${turn}`,
          author: app,
          actions: {},
          timestamp: isPython ? at / 1000 : at,
          ...event,
        };
        events.push(options.spelling === 'snake' ? respelt(whole) : whole);
      }
    } catch (error) {
      broken = error instanceof Error ? error : new Error(String(error));
    }
    if (isStream) return stream(events, broken);
    if (broken === null) return yes(events);
    // Python and Java write the reason only to their log.
    if (dialect === 'typescript') {
      return { status: 500, body: { error: `Failed to run agent: Error: ${broken.message}`, events } };
    }
    if (dialect === 'java') return no(500, 'Agent run failed');
    return { status: 500, headers: { 'content-type': 'text/plain' }, body: 'Internal Server Error' };
  }

  function stream(events: readonly object[], broken: Error | null): Reply {
    const error = { error: isPython ? `ValueError: ${broken?.message}` : broken?.message };
    const all = [...events, ...(broken === null ? [] : [error])];
    const body = all.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
    return { status: 200, headers: { 'content-type': 'text/event-stream; charset=utf-8' }, body };
  }

  const server = await startServer(options, (request): Fault => {
    const { method, headers, body } = request;
    const path = request.path.replace(/\?.*/, '');
    if (token !== undefined && headers.authorization !== `Bearer ${token}`) return no(401, 'Unauthorized');
    if (without.some((route) => path.endsWith(route))) return noRoute(request);
    if (path === '/list-apps' && method === 'GET') return yes(Object.keys(apps));
    if (path === '/run' && method === 'POST') return run(body, false);
    if (path === '/run_sse' && method === 'POST') return run(body, true);
    const [, info] = /^\/apps\/([^/]+)\/app-info$/.exec(path) ?? [];
    if (info !== undefined && dialect === 'python') {
      const told = options.appInfo?.[decodeURIComponent(info)];
      return told === undefined ? no(400, 'Root agent is not an LlmAgent') : yes(told);
    }
    const found = /^(\/apps\/.*\/sessions\/[^/]+)\/artifacts(?:\/([^/]+)\/versions(?:\/(\d+))?)?$/.exec(path);
    if (found !== null && method === 'GET') return artifact(found[2], found[3]) ?? noRoute(request);
    const [, app, user, , id] = /^\/apps\/([^/]+)\/users\/([^/]+)\/sessions(\/([^/]+))?$/.exec(path) ?? [];
    if (app === undefined || user === undefined) return noRoute(request);
    const names = [app, user].map(decodeURIComponent) as [string, string];
    const named = id === undefined ? null : decodeURIComponent(id);
    if (method === 'POST') return begin(...names, named, body);
    const key = keyOf(...names, named ?? '');
    const session = sessions.get(key);
    if (session === undefined) return no(404, `Session not found: ${named}`);
    if (method === 'GET') return yes(session);
    if (method === 'PATCH' && dialect === 'python') {
      Object.assign(session.state, isObject(body) ? body.stateDelta : {});
      return yes(session);
    }
    if (method !== 'DELETE') return no(405, 'Method Not Allowed');
    sessions.delete(key);
    if (dialect === 'python') return { status: 200, headers: { 'content-type': 'application/json' }, body: 'null' };
    return { status: 204, body: '' };
  });
  return Object.create(server, {
    sessions: { get: () => [...sessions.values()] },
  }) as FakeAdkServer;
}

function snake(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Converts keys to snake_case, except those of arguments, responses and states, which belong to the user. */
function respelt(value: unknown): object {
  if (Array.isArray(value)) return value.map((item) => (typeof item === 'object' ? respelt(item) : item));
  const entries = Object.entries(Object(value)).map(([key, item]) => {
    const isOwn = ['args', 'response', 'stateDelta'].includes(key) || typeof item !== 'object' || item === null;
    return [snake(key), isOwn ? item : respelt(item)];
  });
  return Object.fromEntries(entries);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
