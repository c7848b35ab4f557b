import type { RunConfig } from '../../api.ts';
import { seenVersion } from '../../http/version.ts';
import { estimateRun } from '../../runs/estimate-run.ts';
import { runChoices } from '../../runs/run-choices.ts';
import type { AskedConfig } from '../../runs/run-config.ts';
import { runNeeds } from '../../runs/run-needs.ts';
import { saveConfig } from '../../runs/save-config.ts';
import { setOf } from '../../sets/find-sets.ts';
import type { Studio } from '../../studio.ts';
import type { Handlers } from './handlers.ts';
import { prepareNewRun } from './run-control.ts';

/** Serves the run dialog: criteria with their needs, an estimate, and the saved config of a set. */
export function runDialogRoutes(studio: Studio) {
  return {
    'GET /apps/:app/sets/:set/criteria': async ({ app, set }, c) => {
      const choices = await runChoices(studio, await setOf(studio, app, set));
      c.header('ETag', choices.version);
      return choices;
    },
    'PUT /apps/:app/sets/:set/config': async ({ app, set, seen: version, fields }, c) => {
      const found = await setOf(studio, app, set);
      const seen = seenVersion(version, 'the config');
      const undo = await saveConfig(studio, found, { asked: askedConfig(await fields()), seen });
      const choices = await runChoices(studio, found);
      c.header('ETag', choices.version);
      return { ...choices, undo };
    },
    'POST /apps/:app/sets/:set/needs': async ({ app, set, fields }) => {
      const found = await setOf(studio, app, set);
      const field = await fields();
      const judgeModel = field('judgeModel');
      const judge = typeof judgeModel === 'string' && judgeModel !== '' ? judgeModel : undefined;
      return runNeeds(studio, found, { ...askedConfig(field), judgeModel: judge });
    },
    'POST /estimate': async ({ body }) => {
      const { prepared } = await prepareNewRun(studio, await body());
      return estimateRun(prepared);
    },
  } satisfies Partial<Handlers>;
}

function askedConfig(field: (name: keyof RunConfig) => unknown): AskedConfig {
  return { metrics: field('metrics'), userSimulator: field('userSimulator'), isWhole: true };
}
