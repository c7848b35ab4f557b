import { fieldOf } from '@agent-criteria/formats/schema';
import { estimateCalls } from '@agent-criteria/project/plan';
import { type Context, Hono } from 'hono';
import type { RunEstimate, SavedConfig } from '../../api.ts';
import { appOf } from '../../apps/app-of.ts';
import { readBody } from '../../http/read-body.ts';
import { seenVersion } from '../../http/seen-version.ts';
import { runChoices } from '../../runs/run-choices.ts';
import type { AskedConfig } from '../../runs/run-config.ts';
import { runNeeds } from '../../runs/run-needs.ts';
import { saveConfig } from '../../runs/save-config.ts';
import { setOf } from '../../sets/set-of.ts';
import type { Studio } from '../../studio.ts';
import { prepareNewRun } from './run-control.ts';

/** What is asked before a run: which criteria there are, what they lack here, what it would cost, and the config that is kept for a set. */
export function runDialogRoutes(studio: Studio): Hono {
  const named = async (c: Context) => {
    const app = appOf(studio, c);
    return { app, found: await setOf(studio, app, c.req.param('set') ?? '') };
  };
  return new Hono()
    .get('/apps/:app/sets/:set/criteria', async (c) => {
      const { app, found } = await named(c);
      const choices = await runChoices(studio, app, found);
      c.header('ETag', choices.version);
      return c.json(choices);
    })
    .put('/apps/:app/sets/:set/config', async (c) => {
      const { app, found } = await named(c);
      const seen = seenVersion(c, 'the config');
      const undo = await saveConfig(studio, app, found, { asked: askedConfig(await readBody(c)), seen });
      const choices = await runChoices(studio, app, found);
      c.header('ETag', choices.version);
      return c.json({ ...choices, undo } satisfies SavedConfig);
    })
    .post('/apps/:app/sets/:set/needs', async (c) => {
      const { app, found } = await named(c);
      const body = await readBody(c);
      const judgeModel = fieldOf(body, 'judgeModel');
      const judge = typeof judgeModel === 'string' && judgeModel !== '' ? judgeModel : undefined;
      return c.json(await runNeeds(studio, app, found, { ...askedConfig(body), judgeModel: judge }));
    })
    .post('/estimate', async (c) => {
      const { prepared } = await prepareNewRun(studio, await readBody(c));
      const { rows, total, budget } = await estimateCalls(prepared);
      const cases = prepared.sets.reduce((sum, { plan }) => sum + plan.evalSet.evalCases.length, 0);
      const { repeats, warnings } = prepared;
      return c.json({
        cases,
        repeats,
        variants: prepared.agents.length,
        rows,
        total,
        budget,
        warnings: warnings.map(({ message }) => message),
      } satisfies RunEstimate);
    });
}

function askedConfig(body: unknown): AskedConfig {
  return { metrics: fieldOf(body, 'metrics'), userSimulator: fieldOf(body, 'userSimulator'), isWhole: true };
}
