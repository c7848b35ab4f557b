import type { State } from '@agent-criteria/core';
import { fieldOf, isObject } from '@agent-criteria/core/host';
import { type Context, Hono } from 'hono';
import { appOf } from '../apps/app-of.ts';
import { readBody } from '../http/read-body.ts';
import { refusal } from '../http/refusal.ts';
import { sessionInResults } from '../results/eval-sessions.ts';
import { camelEvent } from '../sessions/camel-event.ts';
import { type AdkEvent, sessionAnswer } from '../sessions/chat-session.ts';
import { changeState } from '../sessions/run-turn.ts';
import type { Studio } from '../studio.ts';

/** ADK's sessions of a user. Below `/apps/:app` and `/dev/apps/:app`. */
export function sessionRoutes(studio: Studio): Hono {
  const { sessions } = studio;
  const owner = (c: Context) => ({ appName: appOf(studio, c).name, userId: c.req.param('user') ?? '' });
  const named = (c: Context) => sessions.get(owner(c), c.req.param('session') ?? '');
  const create = async (c: Context, id?: string) => {
    const of = owner(c);
    const body = await readBody(c);
    const given = fieldOf(body, 'sessionId');
    // The older route has the state itself as its body.
    const state = id === undefined ? fieldOf(body, 'state') : (fieldOf(body, 'state') ?? body);
    const wanted = id ?? (typeof given === 'string' && given !== '' ? given : undefined);
    const events = fieldOf(body, 'events');
    return c.json(sessionAnswer(sessions.create(of, { id: wanted, state: stateOf(state), events: eventsOf(events) })));
  };
  return (
    new Hono()
      .get('/users/:user/sessions', (c) => c.json(sessions.list(owner(c)).map((one) => sessionAnswer(one, false))))
      .post('/users/:user/sessions', (c) => create(c))
      .get('/users/:user/sessions/:session', async (c) => {
        const id = c.req.param('session');
        const app = appOf(studio, c);
        if (sessions.find(app.name, id) === undefined) {
          const found = await sessionInResults(app, owner(c), id);
          if (found !== null) sessions.keepHidden(found);
        }
        return c.json(sessionAnswer(named(c)));
      })
      .post('/users/:user/sessions/:session', (c) => create(c, c.req.param('session')))
      .patch('/users/:user/sessions/:session', async (c) => {
        const session = named(c);
        changeState(session, stateOf(fieldOf(await readBody(c), 'stateDelta')));
        return c.json(sessionAnswer(session));
      })
      .delete('/users/:user/sessions/:session', async (c) => {
        await sessions.remove(owner(c), c.req.param('session'));
        return c.json(null);
      })
      // What these agents keep, they keep in their state.
      .get('/users/:user/sessions/:session/artifacts', (c) => c.json([]))
  );
}

/** @throws A refusal, 422. */
export function stateOf(value: unknown): State {
  if (value === undefined || value === null) return {};
  if (isObject(value)) return value as State;
  throw refusal(422, [{ type: 'dict_type', loc: ['body', 'state'], msg: 'The state must be an object.' }]);
}

function eventsOf(value: unknown): readonly AdkEvent[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value) && value.every(isObject)) return value.map(camelEvent);
  throw refusal(422, [{ type: 'list_type', loc: ['body', 'events'], msg: 'The events must be a list of objects.' }]);
}
