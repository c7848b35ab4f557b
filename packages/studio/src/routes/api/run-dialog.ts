import { dirname, join } from 'node:path';
import { fieldOf } from '@agent-criteria/core/host';
import { estimateCalls, findConfig, jsonText, writeWhole } from '@agent-criteria/project';
import { type Context, Hono } from 'hono';
import type { RunEstimate } from '../../api.ts';
import { appOf } from '../../apps/app-of.ts';
import { readBody } from '../../http/read-body.ts';
import { criterionChoices } from '../../runs/criterion-choices.ts';
import { mergedConfig } from '../../runs/run-config.ts';
import { setOf } from '../../sets/set-of.ts';
import type { Studio } from '../../studio.ts';
import { prepareNewRun } from './run-control.ts';

/** What is asked before a run: which criteria there are, what it would cost, and the config that is kept for a set. */
export function runDialogRoutes(studio: Studio): Hono {
  const named = async (c: Context) => {
    const app = appOf(studio, c);
    return { app, found: await setOf(studio, app, c.req.param('set') ?? '') };
  };
  return new Hono()
    .get('/apps/:app/sets/:set/criteria', async (c) => {
      const { app, found } = await named(c);
      return c.json(await criterionChoices(studio, app, found));
    })
    .put('/apps/:app/sets/:set/config', async (c) => {
      const { app, found } = await named(c);
      const metrics = fieldOf(await readBody(c), 'metrics');
      await studio.locks.with(found.file, async () => {
        const beside = await findConfig(found.file);
        const file = beside ?? join(dirname(found.file), 'test_config.json');
        await writeWhole(file, jsonText(await mergedConfig(beside, metrics)));
      });
      return c.json(await criterionChoices(studio, app, found));
    })
    .post('/estimate', async (c) => {
      const { prepared } = await prepareNewRun(studio, await readBody(c));
      const { rows, total, budget } = await estimateCalls(prepared);
      const cases = prepared.sets.reduce((sum, { plan }) => sum + plan.evalSet.evalCases.length, 0);
      const { repeats, warnings } = prepared;
      return c.json({
        cases,
        repeats,
        rows,
        total,
        budget,
        warnings: warnings.map(({ message }) => message),
      } satisfies RunEstimate);
    });
}
