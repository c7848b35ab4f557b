import { fieldOf } from '@agent-criteria/core/host';
import {
  type ExecutedRun,
  listRun,
  prepareResume,
  prepareRun,
  type RunEvent,
  type Settings,
} from '@agent-criteria/project';
import { type Context, Hono } from 'hono';
import { type SSEStreamingApi, streamSSE } from 'hono/streaming';
import type { App } from '../../apps/app.ts';
import { appOfAgent } from '../../apps/app-of-agent.ts';
import { readBody } from '../../http/read-body.ts';
import { refusal } from '../../http/refusal.ts';
import { keepResults } from '../../runs/keep-results.ts';
import type { LiveRun } from '../../runs/live-runs.ts';
import { runConfig } from '../../runs/run-config.ts';
import { runFolder } from '../../runs/run-folder.ts';
import { findSets } from '../../sets/find-sets.ts';
import { setOf } from '../../sets/set-of.ts';
import type { Studio } from '../../studio.ts';

/** Milliseconds between two looks at a run of another process. */
const LOOK_AGAIN = 500;

/** Runs that are started, watched, cancelled and resumed. */
export function runControlRoutes(studio: Studio): Hono {
  const live = (c: Context): LiveRun => {
    const id = c.req.param('run') ?? '';
    const run = studio.runs.get(id);
    if (run === undefined) throw refusal(404, `This studio does not work on a run "${id}".`);
    return run;
  };
  return new Hono()
    .post('/runs', async (c) => {
      const { app, prepared } = await prepare(studio, await readBody(c));
      const { id } = await studio.runs.start(prepared, keepingResults(studio, app));
      return c.json({ id });
    })
    .post('/runs/:run/resume', async (c) => {
      const id = c.req.param('run');
      const folder = await runFolder(studio, id);
      if (studio.runs.under().some((run) => run.id === id)) throw refusal(409, `The run "${id}" is under way already.`);
      if (listRun(folder)?.running === true) {
        throw refusal(409, `Another process works on the run "${id}": it can only be watched here.`);
      }
      const app = appOfAgent(studio.apps, listRun(folder)?.agent ?? '');
      await studio.runs.start(await prepareResume(folder, studio.projectOptions), keepingResults(studio, app));
      return c.json({ id });
    })
    .post('/runs/:run/cancel', (c) => {
      live(c).cancel();
      return c.json(null);
    })
    .get('/runs/:run/events', async (c) => {
      const id = c.req.param('run');
      const run = studio.runs.get(id);
      if (run !== undefined) return streamSSE(c, (stream) => tellEvents(run, stream));
      const folder = await runFolder(studio, id);
      return streamSSE(c, (stream) => tellUnits(folder, stream));
    });
}

/** Of a run that another process works on: how far it is, whenever that changes, until it is over. */
async function tellUnits(folder: string, stream: SSEStreamingApi): Promise<void> {
  let told = '';
  for (;;) {
    const listing = listRun(folder);
    const units = JSON.stringify(listing?.units ?? null);
    if (units !== told) await stream.writeSSE({ event: 'units', data: units });
    told = units;
    if (listing?.running !== true || stream.aborted) break;
    await stream.sleep(LOOK_AGAIN);
  }
  await stream.writeSSE({ event: 'end', data: '{}' });
}

/** What happened so far, then what happens, until the run is over; its last event is `end`. */
async function tellEvents(run: LiveRun, stream: SSEStreamingApi): Promise<void> {
  let written = Promise.resolve();
  const write = (event: RunEvent): void => {
    written = written.then(() => stream.writeSSE({ event: event.type, data: JSON.stringify(event) }));
  };
  run.events.forEach(write);
  const stop = run.watch(write);
  const gone = new Promise<void>((settle) => stream.onAbort(settle));
  const over = run.done.then(
    () => undefined,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
  const ending = await Promise.race([over, gone.then(() => undefined)]);
  stop();
  await written;
  await stream.writeSSE({ event: 'end', data: JSON.stringify(ending === undefined ? {} : { problem: ending }) });
}

async function prepare(studio: Studio, body: unknown) {
  const wrong = (name: string, msg: string) => refusal(422, [{ type: 'value_error', loc: ['body', name], msg }]);
  const texts = (name: string): readonly string[] | undefined => {
    const value = fieldOf(body, name);
    if (value === undefined) return undefined;
    if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value;
    throw wrong(name, 'This must be a list of texts.');
  };
  const text = (name: string): string | undefined => {
    const value = fieldOf(body, name);
    if (value === undefined || typeof value === 'string') return value;
    throw wrong(name, 'This must be a text.');
  };
  const app = studio.apps.find(({ name }) => name === text('app'));
  if (app === undefined) throw refusal(404, `App not found: ${text('app')}`);
  if (app.agent === null) throw refusal(400, `App \`${app.name}\` has eval sets, but no agent that can be run here.`);
  const ids = texts('sets') ?? (await findSets(app, studio.apps)).map(({ id }) => id);
  const sets = await Promise.all(ids.map((id) => setOf(studio, app, id)));
  const [first] = sets;
  if (first === undefined) throw refusal(400, `App \`${app.name}\` has no eval set yet.`);
  const metrics = fieldOf(body, 'metrics');
  if (metrics !== undefined && sets.length > 1) throw wrong('metrics', 'Metrics can be chosen for a single set only.');
  const failedIn = text('failedIn');
  const tags = texts('tags');
  const prepared = await prepareRun({
    ...studio.projectOptions,
    settings: { ...studio.projectOptions.settings, ...settingsOf(body, wrong) },
    agent: app.agent,
    evalSets: sets.map(({ file }) => file),
    cases: texts('cases'),
    filter: { tags, failedIn: failedIn === undefined ? undefined : await runFolder(studio, failedIn) },
    config: metrics === undefined ? undefined : await runConfig(studio, first.file, metrics),
    only: fieldOf(body, 'judged') === false ? 'inferences' : undefined,
  });
  return { app, prepared };
}

/** What came of a run is also kept where ADK's requests find it; what was not judged has no results. */
function keepingResults(studio: Studio, app: App | null): (run: ExecutedRun) => Promise<void> {
  return async ({ folder, outcome }) => {
    if (app !== null && outcome.finished && listRun(folder)?.summary) await keepResults(studio, app, folder);
  };
}

function settingsOf(body: unknown, wrong: (name: string, msg: string) => Error): Settings {
  const [repeats, judgeModel] = [fieldOf(body, 'repeats'), fieldOf(body, 'judgeModel')];
  if (repeats !== undefined && !(typeof repeats === 'number' && Number.isInteger(repeats) && repeats > 0)) {
    throw wrong('repeats', 'This must be a whole number above 0.');
  }
  if (judgeModel !== undefined && typeof judgeModel !== 'string') throw wrong('judgeModel', 'This must be a text.');
  return { ...(repeats === undefined ? {} : { repeats }), ...(judgeModel === undefined ? {} : { judgeModel }) };
}
