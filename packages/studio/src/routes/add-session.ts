import { fieldOf } from '@agent-criteria/formats/schema';
import { Hono } from 'hono';
import { appOf } from '../apps/app-of.ts';
import { readBody } from '../http/read-body.ts';
import { refusal } from '../http/refusal.ts';
import { caseOfChat } from '../sessions/case-of-chat.ts';
import { addToSet } from '../sets/edit-case.ts';
import { setOf } from '../sets/set-of.ts';
import type { Studio } from '../studio.ts';

/** A conversation as a case that expects it again. Below `/apps/:app` and `/dev/apps/:app`. */
export function addSessionRoutes(studio: Studio): Hono {
  return new Hono().on('POST', ['/eval_sets/:set/add_session', '/eval-sets/:set/add-session'], async (c) => {
    const app = appOf(studio, c);
    const set = await setOf(studio, app, c.req.param('set') ?? '', 400);
    const body = await readBody(c);
    const [evalId, sessionId, userId] = ['evalId', 'sessionId', 'userId'].map((name) => {
      const value = fieldOf(body, name);
      if (typeof value === 'string' && value !== '') return value;
      throw refusal(422, [{ type: 'missing', loc: ['body', name], msg: 'Field required' }]);
    });
    const session = studio.sessions.get({ appName: app.name, userId: userId ?? '' }, sessionId ?? '');
    const { evalCase } = studio.mask.json(caseOfChat(session, evalId));
    await addToSet(studio, set, [evalCase]);
    return c.json(null);
  });
}
