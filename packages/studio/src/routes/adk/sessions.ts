import { randomUUID } from '@agent-criteria/calls';
import type { Json, State } from '@agent-criteria/core';
import { isObject } from '@agent-criteria/formats';
import { fieldOf } from '@agent-criteria/formats/schema';
import { type Context, Hono } from 'hono';
import { mistake, readBody } from '../../http/refusal.ts';
import { sessionInResults } from '../../results/eval-sessions.ts';
import { changeState } from '../../sessions/change-state.ts';
import { type ChatSession, sessionAnswer } from '../../sessions/chat-session.ts';
import { type AdkEvent, isMessage } from '../../sessions/event.ts';
import { camelEvent, withIdentity } from '../../sessions/event-identity.ts';
import { maskedArtifact, maskedArtifacts } from '../../sessions/masked-artifacts.ts';
import type { Studio } from '../../studio.ts';
import { appIn, ownerIn, sessionIn } from './request.ts';

/** Serves a user's sessions to ADK clients. Below `/apps/:app` and `/dev/apps/:app`. */
export function sessionRoutes(studio: Studio): Hono {
  const { sessions, mask } = studio;
  const answer = (session: ChatSession, withEvents = true) => mask.json(sessionAnswer(session, withEvents));
  const create = async (c: Context, id?: string) => {
    const of = ownerIn(studio, c);
    const body = await readBody(c);
    const given = fieldOf(body, 'sessionId');
    // On the older route, the body is the state itself.
    const state = id === undefined ? fieldOf(body, 'state') : (fieldOf(body, 'state') ?? body);
    const wanted = id ?? (typeof given === 'string' && given !== '' ? given : undefined);
    const begun = { id: wanted, state: stateOf(state), events: eventsOf(fieldOf(body, 'events')) };
    const made =
      begun.events.length === 0
        ? begun
        : { ...begun, origin: 'imported' as const, statesBefore: statesBefore(begun.events, begun.state) };
    return c.json(answer(sessions.create(of, made)));
  };
  return new Hono()
    .get('/users/:user/sessions', (c) => c.json(sessions.list(ownerIn(studio, c)).map((one) => answer(one, false))))
    .post('/users/:user/sessions', (c) => create(c))
    .get('/users/:user/sessions/:session', async (c) => {
      const id = c.req.param('session');
      if (sessions.findFor(ownerIn(studio, c), id) === undefined) {
        const found = await sessionInResults(appIn(studio, c), id);
        if (found !== null) sessions.keepHidden(found);
      }
      return c.json(answer(sessionIn(studio, c)));
    })
    .post('/users/:user/sessions/:session', (c) => create(c, c.req.param('session')))
    .patch('/users/:user/sessions/:session', async (c) => {
      const session = sessionIn(studio, c);
      await changeState(session, stateOf(fieldOf(await readBody(c), 'stateDelta')));
      sessions.save(session);
      return c.json(answer(session));
    })
    .delete('/users/:user/sessions/:session', async (c) => {
      await sessions.remove(ownerIn(studio, c), c.req.param('session'));
      return c.json(null);
    });
}

/** @throws A 422 refusal. */
export function stateOf(value: unknown): State {
  if (value === undefined || value === null) return {};
  if (isObject(value)) return value as State;
  throw mistake(['body', 'state'], 'The state must be an object.', 'dict_type');
}

function eventsOf(value: unknown): readonly AdkEvent[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value) && value.every(isObject)) return importedEvents(value);
  throw mistake(['body', 'events'], 'The events must be a list of objects.', 'list_type');
}

/** Serves a session's artifacts to ADK clients. Below `/apps/:app` and `/dev/apps/:app`. */
export function artifactRoutes(studio: Studio): Hono {
  const { sessions, mask } = studio;
  const all = '/users/:user/sessions/:session/artifacts';
  return new Hono()
    .get(all, async (c) => {
      // ADK does not require the session to exist here.
      const session = sessions.find(appIn(studio, c).name, c.req.param('session'));
      return c.json(session === undefined ? [] : (await maskedArtifacts(session, mask)).map(({ name }) => name));
    })
    .get(`${all}/:name`, async (c) =>
      c.json(await maskedArtifact(sessionIn(studio, c), c.req.param('name'), c.req.query('version'), mask)),
    )
    .get(`${all}/:name/versions`, async (c) => {
      const found = (await maskedArtifacts(sessionIn(studio, c), mask)).find(
        ({ name }) => name === mask.text(c.req.param('name')),
      );
      return c.json(found?.versions ?? []);
    })
    .get(`${all}/:name/versions/:version`, async (c) =>
      c.json(await maskedArtifact(sessionIn(studio, c), c.req.param('name'), c.req.param('version'), mask)),
    );
}

/** Adds ids, times and turns to the events in a request. */
function importedEvents(given: readonly Readonly<Record<string, unknown>>[]): readonly AdkEvent[] {
  let turn = `e-${randomUUID()}`;
  return given.map(camelEvent).map((event) => {
    if (isMessage(event)) turn = `e-${randomUUID()}`;
    return withIdentity(event, turn);
  });
}

/**
 * Reconstructs the state before each message, by event id. Omits keys that the conversation sets later, because their
 * earlier values are unknown.
 *
 * @param state The state after all events.
 */
function statesBefore(events: readonly AdkEvent[], state: State): Map<string, State> {
  const deltas = events.map(({ actions }) => {
    const delta = isObject(actions) ? actions.stateDelta : undefined;
    return isObject(delta) ? (delta as Readonly<Record<string, Json>>) : {};
  });
  const set = new Set(deltas.flatMap((delta) => Object.keys(delta)));
  const now: Record<string, Json | undefined> = Object.fromEntries(
    Object.entries(state).filter(([key]) => !set.has(key)),
  );
  const found = new Map<string, State>();
  for (const [place, event] of events.entries()) {
    if (isMessage(event)) found.set(String(event.id), structuredClone(now) as State);
    Object.assign(now, deltas[place]);
  }
  return found;
}
