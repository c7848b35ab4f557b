import { askJson, type Connection, isRefusal, type Refusal } from '@agent-criteria/calls/agent-server';
import { CriteriaError, type Json, type State } from '@agent-criteria/core';
import { isObject } from '@agent-criteria/formats';
import { segmentOf } from './agent-url.ts';

// ADK's servers create sessions in different ways and do not report which one they use. So each way is tried in turn,
// and the session is read back, because an agent that lost its state would be evaluated on a different case.

/** A session to create. */
export interface WantedSession {
  readonly app: string;
  readonly userId: string;
  /** Default: a random id. */
  readonly sessionId?: string | undefined;
  readonly state: State;
  /** The session's history, as events that the server accepts. Default: none. */
  readonly events?: readonly Json[] | undefined;
}

/** A session that exists on the server. */
export interface OpenedSession {
  readonly id: string;
  /** The path below the server's root. */
  readonly path: string;
}

export interface SessionOptions {
  /** The time limit for each request, in milliseconds. */
  readonly timeout: number;
  readonly signal: AbortSignal;
}

/** A way to create a session. */
export type SessionForm = (typeof forms)[number];

const forms = [
  /** Newer Python servers take everything in the body, including events. */
  { atId: false, body: (id: string, state: State) => ({ sessionId: id, state }), anyId: false, takesEvents: true },
  /** TypeScript, Java and Go servers. */
  { atId: true, body: (_: string, state: State) => ({ state }), anyId: false, takesEvents: false },
  /** Older Python servers: the body is the state. */
  { atId: true, body: (_: string, state: State) => state, anyId: false, takesEvents: false },
  /** Servers that choose every id themselves, such as those on Agent Engine. */
  { atId: false, body: (_: string, state: State) => ({ state }), anyId: true, takesEvents: true },
] as const;

/**
 * Creates a session and verifies that its state and history arrived.
 *
 * @param known The request format that this server accepted before, which is tried first.
 * @returns The session and the format, or a refusal if the server accepts none of the formats.
 * @throws CriteriaError if the session already exists or the state did not arrive, and as `askJson` does.
 */
export async function openSession(
  connection: Connection,
  wanted: WantedSession,
  known: SessionForm | null,
  options: SessionOptions,
): Promise<{ readonly session: OpenedSession; readonly form: SessionForm } | Refusal> {
  const { app, userId, state, events = [], sessionId = `agent-criteria-${globalThis.crypto.randomUUID()}` } = wanted;
  const list = `/apps/${segmentOf(app, 'the app')}/users/${segmentOf(userId, 'the user id')}/sessions`;
  const pathOf = (id: string) => `${list}/${segmentOf(id, 'the session id')}`;
  const refusals: Refusal[] = [];
  let lost: CriteriaError | null = null;
  const inOrder = known === null ? forms : [known, ...forms.filter((form) => form !== known)];
  for (const form of inOrder.filter(({ takesEvents }) => takesEvents || events.length === 0)) {
    const path = form.atId ? pathOf(sessionId) : list;
    const body = { ...form.body(sessionId, state), ...(events.length === 0 ? {} : { events }) };
    const answer = await askJson(connection, { method: 'POST', path, body, ...options });
    if (isRefusal(answer)) {
      // Stop here, because the next format's error would only be about that format.
      if (answer.status === 409 || /already exists/i.test(answer.detail)) throw taken(connection, pathOf(sessionId));
      if ([401, 403, 429, 502, 503, 504].includes(answer.status)) throw answer.error;
      refusals.push(answer);
      continue;
    }
    const id = idOf(answer.body);
    if (id === null) throw noSession(connection, path);
    const session = { id, path: pathOf(id) };
    if (form.anyId || id === sessionId) {
      const stored = await readSession(connection, session, options);
      const problem = stateProblem(stored === null ? null : stateIn(stored), state);
      const kept = stored === null ? 0 : eventsIn(stored);
      if (problem === null && kept >= events.length) return { session, form };
      lost =
        problem === null
          ? noHistory(connection)
          : new CriteriaError({ code: 'AGENT_FAILED', file: connection.server + session.path, message: problem });
    }
    await deleteSession(connection, session, options.timeout);
  }
  if (lost !== null) throw lost;
  if (events.length > 0) throw noHistory(connection);
  // The error for the format with the right path is the most useful one.
  return refusals.find(({ status }) => ![404, 405, 422].includes(status)) ?? refusals[0] ?? unreachable();
}

/** Reads the session's current state. Returns `null` if the server does not report it. */
export async function readState(
  connection: Connection,
  session: OpenedSession,
  options: SessionOptions,
): Promise<State | null> {
  const stored = await readSession(connection, session, options);
  return stored === null ? null : stateIn(stored);
}

/**
 * Changes the state, which only newer servers support.
 *
 * @throws CriteriaError NOT_SUPPORTED if the server does not, and as `askJson` does.
 */
export async function changeState(
  connection: Connection,
  session: OpenedSession,
  delta: State,
  options: SessionOptions,
): Promise<void> {
  const { path } = session;
  const answer = await askJson(connection, { method: 'PATCH', path, body: { stateDelta: delta }, ...options });
  if (isRefusal(answer)) {
    if (!MISSING.includes(answer.status)) throw answer.error;
    throw notSupported(connection, 'the server does not change the state of a session: start a new one with it');
  }
  if (stateProblem(await readState(connection, session, options), delta) === null) return;
  throw notSupported(connection, 'the server did not change the state of the session: start a new one with it');
}

/** Statuses that servers return for a missing route. */
const MISSING = [404, 405, 501];

/** Reads a session. Returns `null` if the server does not report it. */
async function readSession(
  connection: Connection,
  { path }: OpenedSession,
  options: SessionOptions,
): Promise<Readonly<Record<string, unknown>> | null> {
  const answer = await askJson(connection, { method: 'GET', path, ...options });
  if (isRefusal(answer)) {
    if (MISSING.includes(answer.status)) return null;
    throw answer.error;
  }
  return isObject(answer.body) ? answer.body : null;
}

function stateIn({ state }: Readonly<Record<string, unknown>>): State | null {
  return isObject(state) ? (state as State) : null;
}

function eventsIn({ events }: Readonly<Record<string, unknown>>): number {
  return Array.isArray(events) ? events.length : 0;
}

function noHistory(connection: Connection): CriteriaError {
  return notSupported(
    connection,
    'the server begins sessions without the events of an earlier one, as newer releases of `adk api_server` take them: send the earlier messages again, or update the server',
  );
}

function notSupported({ server }: Connection, message: string): CriteriaError {
  return new CriteriaError({ code: 'NOT_SUPPORTED', file: server, message });
}

/** Deletes a session. Failures are ignored, because the session is no longer needed. */
export async function deleteSession(connection: Connection, { path }: OpenedSession, timeout: number): Promise<void> {
  await askJson(connection, { method: 'DELETE', path, timeout }).catch(() => undefined);
}

function idOf(body: unknown): string | null {
  const { id } = Object(body) as { readonly id?: unknown };
  return typeof id === 'string' && id !== '' && id !== '.' && id !== '..' ? id : null;
}

/**
 * Describes how a state that was read back differs from the one sent. Returns `null` if nothing that was sent is
 * missing or different.
 */
function stateProblem(stored: State | null, sent: State): string | null {
  const keys = Object.keys(sent);
  if (stored === null) {
    if (keys.length === 0) return null;
    return 'the server does not report the state of its sessions, so it is unknown whether the state of the case arrived; remove the state from the case, or make the server return it on GET';
  }
  // The server mistook the whole body for the state.
  if (Object.hasOwn(stored, 'state') && holds(stored.state, sent)) {
    return `the state of the case arrived under "state" instead of the session's own keys (${describe(keys)})`;
  }
  const missing = keys.filter((key) => !holds(own(stored, key), sent[key]));
  if (missing.length === 0) return null;
  return `the state of the case did not arrive: the server's session lacks or changes ${describe(missing)}`;
}

function describe(keys: readonly string[]): string {
  return keys.length === 0 ? 'none' : keys.map((key) => JSON.stringify(key)).join(', ');
}

/** Whether a stored value equals the sent one. A missing value equals `null`, because servers drop nulls. */
function holds(stored: unknown, sent: unknown): boolean {
  if (sent === null || sent === undefined) return stored === null || stored === undefined;
  if (Array.isArray(sent)) {
    return Array.isArray(stored) && stored.length === sent.length && sent.every((item, at) => holds(stored[at], item));
  }
  if (isObject(sent)) {
    if (!isObject(stored)) return false;
    return Object.keys({ ...stored, ...sent }).every((key) => holds(own(stored, key), own(sent, key)));
  }
  return stored === sent;
}

function own(value: Readonly<Record<string, unknown>>, key: string): unknown {
  return Object.hasOwn(value, key) ? value[key] : undefined;
}

function taken({ server }: Connection, path: string): CriteriaError {
  const message =
    'a session with this id already exists, but a case needs a new one: delete it (DELETE to this URL), or remove session_id from the case';
  return new CriteriaError({ code: 'AGENT_FAILED', file: server + path, message });
}

function noSession({ server }: Connection, path: string): CriteriaError {
  const message = 'the server did not return a session (an object with an id): is this the root of an ADK server?';
  return new CriteriaError({ code: 'AGENT_FAILED', file: `POST ${server}${path}`, message });
}

function unreachable(): never {
  throw new CriteriaError({ code: 'INTERNAL', message: 'no form of a session was tried' });
}
