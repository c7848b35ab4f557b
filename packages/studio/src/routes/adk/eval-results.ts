import { Hono } from 'hono';
import { openResult, resultFiles } from '../../results/result-files.ts';
import type { Studio } from '../../studio.ts';
import { appIn } from './request.ts';
import { withoutNullFields } from './without-nulls.ts';

/** ADK's results of an app, in both dialects. Below `/apps/:app` and `/dev/apps/:app`. */
export function evalResultRoutes(studio: Studio): Hono {
  return new Hono()
    .get('/eval_results', async (c) => c.json((await resultFiles(appIn(studio, c))).map(({ id }) => id)))
    .get('/eval-results', async (c) =>
      c.json({ evalResultIds: (await resultFiles(appIn(studio, c))).map(({ id }) => id) }),
    )
    .on('GET', ['/eval_results/:result', '/eval-results/:result'], async (c) => {
      const result = await openResult(appIn(studio, c), c.req.param('result') ?? '');
      return c.json(studio.mask.json(withoutNullFields(result)) as object);
    });
}
