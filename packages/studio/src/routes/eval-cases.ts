import { type Context, Hono } from 'hono';
import { appOf } from '../apps/app-of.ts';
import { readBody } from '../http/read-body.ts';
import { refusal } from '../http/refusal.ts';
import { versionOf } from '../sets/case-version.ts';
import { caseOf, deleteCase, editCase } from '../sets/edit-case.ts';
import { mergeCase } from '../sets/merge-case.ts';
import { openSet } from '../sets/open-set.ts';
import { setOf } from '../sets/set-of.ts';
import { withoutNulls } from '../sets/without-nulls.ts';
import type { Studio } from '../studio.ts';

const CASES = ['/eval_sets/:set/evals', '/eval-sets/:set/eval-cases'];
const CASE = CASES.map((path) => `${path}/:case`);

/** ADK's eval cases of a set, in both dialects. Below `/apps/:app` and `/dev/apps/:app`. */
export function evalCaseRoutes(studio: Studio): Hono {
  const named = (c: Context, missing: 400 | 404) => setOf(studio, appOf(studio, c), c.req.param('set') ?? '', missing);
  const edit = (c: Context) => ({ caseId: c.req.param('case') ?? '', seen: c.req.header('if-match') });
  return new Hono()
    .on('GET', CASES, async (c) => {
      const { value } = await openSet(await named(c, 400));
      return c.json(value.evalCases.map(({ evalId }) => evalId).toSorted());
    })
    .on('GET', CASE, async (c) => {
      const evalCase = caseOf(await openSet(await named(c, 404)), edit(c).caseId);
      c.header('ETag', versionOf(evalCase));
      return c.json(withoutNulls(evalCase));
    })
    .on('PUT', CASE, async (c) => {
      const found = await named(c, 404);
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
      await deleteCase(studio, appOf(studio, c), await named(c, 404), edit(c));
      return c.json(null);
    });
}
