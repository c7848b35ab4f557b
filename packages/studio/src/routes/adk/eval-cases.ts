import { fieldOf } from '@agent-criteria/formats/schema';
import { type Context, Hono } from 'hono';
import { missing, readBody, refusal } from '../../http/refusal.ts';
import { versionOf } from '../../http/version.ts';
import { caseOfChat } from '../../sessions/case-of-chat.ts';
import { addToSet, caseOf, deleteCase, editCase } from '../../sets/edit-case.ts';
import { openSet } from '../../sets/find-sets.ts';
import type { Studio } from '../../studio.ts';
import { mergeCase } from './merge-case.ts';
import { setIn } from './request.ts';
import { withoutNulls } from './without-nulls.ts';

const CASES = ['/eval_sets/:set/evals', '/eval-sets/:set/eval-cases'];
const CASE = CASES.map((path) => `${path}/:case`);

/** Serves a set's cases to ADK clients, in both dialects. Below `/apps/:app` and `/dev/apps/:app`. */
export function evalCaseRoutes(studio: Studio): Hono {
  const edit = (c: Context) => ({ caseId: c.req.param('case') ?? '', seen: c.req.header('if-match') });
  return (
    new Hono()
      .on('GET', CASES, async (c) => {
        const { value } = await openSet(await setIn(studio, c, 400));
        return c.json(value.evalCases.map(({ evalId }) => evalId).toSorted());
      })
      .on('GET', CASE, async (c) => {
        const evalCase = caseOf(await openSet(await setIn(studio, c)), edit(c).caseId);
        c.header('ETag', versionOf(evalCase));
        return c.json(withoutNulls(evalCase));
      })
      .on('PUT', CASE, async (c) => {
        const found = await setIn(studio, c);
        const body = await readBody(c);
        const { caseId } = edit(c);
        const saved = await editCase(studio, found, edit(c), (before) => {
          const merged = mergeCase(before, body);
          if (merged.evalId === caseId) return merged;
          throw refusal(400, `The eval case in the body is "${merged.evalId}", but the path names "${caseId}".`);
        });
        c.header('ETag', versionOf(saved));
        return c.json(null);
      })
      .on('DELETE', CASE, async (c) => {
        await deleteCase(studio, await setIn(studio, c), edit(c));
        return c.json(null);
      })
      // Saves a conversation as a case that expects the same conversation again.
      .on('POST', ['/eval_sets/:set/add_session', '/eval-sets/:set/add-session'], async (c) => {
        const set = await setIn(studio, c, 400);
        const body = await readBody(c);
        const [evalId = '', sessionId = '', userId = ''] = ['evalId', 'sessionId', 'userId'].map((name) => {
          const value = fieldOf(body, name);
          if (typeof value === 'string' && value !== '') return value;
          throw missing(name);
        });
        const session = studio.sessions.get({ appName: set.app.name, userId }, sessionId);
        const { evalCase } = studio.mask.json(caseOfChat(session, evalId));
        await addToSet(studio, set, [evalCase]);
        return c.json(null);
      })
  );
}
