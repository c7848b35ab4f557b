import { parseEvalSet } from '@agent-criteria/formats/parse';
import { fieldOf } from '@agent-criteria/formats/schema';
import { createEvalSet, removeEvalSet } from '@agent-criteria/project/editing';
import { type Context, Hono } from 'hono';
import { mistake, readBody } from '../../http/refusal.ts';
import { addToSet } from '../../sets/edit-case.ts';
import { findSets, openSet } from '../../sets/find-sets.ts';
import type { Studio } from '../../studio.ts';
import { appIn, setIn } from './request.ts';
import { withoutNulls } from './without-nulls.ts';

/** Serves an app's eval sets to ADK clients, in both dialects. Below `/apps/:app` and `/dev/apps/:app`. */
export function evalSetRoutes(studio: Studio): Hono {
  const ids = async (c: Context) => (await findSets(appIn(studio, c), studio.apps)).map(({ id }) => id);
  return new Hono()
    .get('/eval_sets', async (c) => c.json(await ids(c)))
    .get('/eval-sets', async (c) => c.json({ evalSetIds: await ids(c) }))
    .post('/eval-sets', async (c) => {
      const body = await readBody(c);
      const set = fieldOf(body, 'evalSet');
      const id = fieldOf(set, 'evalSetId');
      if (typeof id !== 'string') {
        const msg = 'Send { "eval_set": { "eval_set_id": "...", "eval_cases": [] } }.';
        throw mistake(['body', 'eval_set', 'eval_set_id'], msg, 'missing');
      }
      return c.json(await create(studio, c, id, set));
    })
    .post('/eval_sets/:set', async (c) => {
      await create(studio, c, c.req.param('set'), null);
      return c.json(null);
    })
    .on('GET', ['/eval_sets/:set', '/eval-sets/:set'], async (c) => {
      const { value } = await openSet(await setIn(studio, c));
      return c.json(snakeOutside(value));
    })
    .on('DELETE', ['/eval_sets/:set', '/eval-sets/:set'], async (c) => {
      const found = await setIn(studio, c);
      await studio.locks.with(found.file, () => removeEvalSet(found));
      return c.json(null);
    });
}

/** Creates a set, with the cases in the body if there are any. */
async function create(studio: Studio, c: Context, id: string, content: unknown) {
  const app = appIn(studio, c);
  const cases = fieldOf(content, 'evalCases');
  const { evalCases } = parseEvalSet(
    { eval_set_id: id, eval_cases: Array.isArray(cases) ? cases : [] },
    { allowEmpty: true },
  ).value;
  const { file, value } = await createEvalSet({ agent: app.folder, id });
  if (evalCases.length === 0) return snakeOutside(value);
  return snakeOutside((await addToSet(studio, { app, id, file }, evalCases)).value);
}

/** Formats a set as ADK does: snake-case keys in the set itself, camel-case keys in its cases. */
function snakeOutside(set: Awaited<ReturnType<typeof openSet>>['value']): object {
  const { evalSetId, name, description, evalCases, creationTimestamp } = set;
  return {
    eval_set_id: evalSetId,
    ...(name ? { name } : {}),
    ...(description ? { description } : {}),
    eval_cases: evalCases.map(withoutNulls),
    creation_timestamp: creationTimestamp ?? 0,
  };
}
