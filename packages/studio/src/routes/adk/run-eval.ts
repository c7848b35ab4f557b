import type { EvalSetResult } from '@agent-criteria/formats';
import { fieldOf } from '@agent-criteria/formats/schema';
import { type PreparedRun, prepareRun } from '@agent-criteria/project';
import { type Context, Hono } from 'hono';
import { projectOf } from '../../apps/app.ts';
import { mistake, readBody, refusal } from '../../http/refusal.ts';
import { openResult, readResult, resultFiles } from '../../results/result-files.ts';
import { keepResults } from '../../runs/keep-results.ts';
import { runConfig } from '../../runs/run-config.ts';
import type { FoundSet } from '../../sets/find-sets.ts';
import type { Studio } from '../../studio.ts';
import { resultIdsFrom, withListedSetId } from './listed-set-ids.ts';
import { appIn, setIn } from './request.ts';
import { withoutInformational } from './without-informational.ts';
import { withoutNullFields } from './without-nulls.ts';

/** Runs eval cases for ADK clients, answering once everything is done. Below `/apps/:app` and `/dev/apps/:app`. */
export function runEvalRoutes(studio: Studio): Hono {
  const run = async (c: Context) => {
    const set = await setIn(studio, c, 400);
    const live = await studio.runs.start(await prepare(studio, set, await readBody(c)));
    const { folder, outcome } = await live.done;
    if (!outcome.finished) {
      const why = outcome.problems.map(({ message }) => message).join('\n');
      throw refusal(500, `The run is incomplete: agent-criteria resume ${live.id} continues it. ${why}`);
    }
    const files = await keepResults(studio, set.app, folder);
    const results = await Promise.all(files.map(readResult));
    return results.flatMap(({ evalCaseResults = [] }) =>
      evalCaseResults.map(({ sessionDetails: _, agentCriteria, ...result }) => ({
        ...result,
        evalMetricResults: [],
        agentCriteria,
      })),
    );
  };
  return new Hono()
    .post('/eval_sets/:set/run_eval', async (c) => c.json(withoutNullFields(await run(c)) as object[]))
    .post('/eval-sets/:set/run', async (c) => c.json({ runEvalResults: withoutNullFields(await run(c)) as object[] }));
}

async function prepare(studio: Studio, { app, file }: FoundSet, body: unknown): Promise<PreparedRun> {
  const { name, agent } = app;
  if (agent === null) throw refusal(400, `App \`${name}\` has eval sets, but no agent that can be run here.`);
  const ids = fieldOf(body, 'evalCaseIds') ?? fieldOf(body, 'evalIds') ?? [];
  if (!Array.isArray(ids) || !ids.every((id) => typeof id === 'string')) {
    throw mistake(['body', 'evalCaseIds'], 'Send a list of case ids.', 'list_type');
  }
  const config = await runConfig(studio, await projectOf(studio, app), file, { metrics: fieldOf(body, 'evalMetrics') });
  return prepareRun({ ...studio.projectOptions, agent, evalSets: [file], cases: ids, config });
}

/** Serves an app's results to ADK clients, in both dialects. Below `/apps/:app` and `/dev/apps/:app`. */
export function evalResultRoutes(studio: Studio): Hono {
  const resultIn = async (c: Context) => {
    const app = appIn(studio, c);
    const id = c.req.param('result') ?? '';
    return openResult(app, id, () => resultIdsFrom(studio, app, id));
  };
  const answer = (c: Context, result: EvalSetResult) => c.json(studio.mask.json(withoutNullFields(result)) as object);
  return (
    new Hono()
      .get('/eval_results', async (c) => c.json((await resultFiles(appIn(studio, c))).map(({ id }) => id)))
      .get('/eval-results', async (c) =>
        c.json({ evalResultIds: (await resultFiles(appIn(studio, c))).map(({ id }) => id) }),
      )
      // The dialect of ADK's web UI.
      .get('/eval_results/:result', async (c) => {
        const result = await withListedSetId(studio, appIn(studio, c), await resultIn(c));
        return answer(c, withoutInformational(result));
      })
      .get('/eval-results/:result', async (c) => answer(c, await resultIn(c)))
  );
}
