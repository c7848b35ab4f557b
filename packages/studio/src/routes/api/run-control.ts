import { CriteriaError, didYouMean } from '@agent-criteria/core';
import { isObject } from '@agent-criteria/formats';
import { fieldOf } from '@agent-criteria/formats/schema';
import {
  type ExecutedRun,
  type PrepareRunOptions,
  type Project,
  prepareRun,
  type Settings,
} from '@agent-criteria/project';
import { mistakeInSetting } from '@agent-criteria/project/config';
import { listRun, type RunEvent } from '@agent-criteria/runner';
import { type SSEStreamingApi, streamSSE } from 'hono/streaming';
import type { LiveChange, NewRun } from '../../api.ts';
import { type App, projectOf } from '../../apps/app.ts';
import { mistake, refusal } from '../../http/refusal.ts';
import { appOfRun } from '../../runs/agents-of-run.ts';
import { estimateRun } from '../../runs/estimate-run.ts';
import { keepResults } from '../../runs/keep-results.ts';
import type { LiveRun } from '../../runs/live-runs.ts';
import { prepareRunAgain } from '../../runs/run-again.ts';
import { runConfig } from '../../runs/run-config.ts';
import { runFolder } from '../../runs/run-folder.ts';
import { findSets, setOf } from '../../sets/find-sets.ts';
import type { Studio } from '../../studio.ts';
import { type Handlers, wholeNumber } from './handlers.ts';

/** Polling interval in milliseconds for a run in another process. */
const POLL_INTERVAL = 500;
/** Interval in milliseconds between two batches of changed cases. */
const BATCH_INTERVAL = 250;

/** Starts, watches, cancels and resumes runs. */
export function runControlRoutes(studio: Studio) {
  return {
    'POST /runs': async ({ body }) => {
      const { app, prepared } = await prepareNewRun(studio, await body());
      const { id } = await studio.runs.start(prepared, keepingResults(studio, app));
      return { id };
    },
    'POST /runs/:run/again': async ({ run, body }) => {
      const { app, prepared } = await prepareRunAgain(studio, run, await body());
      const { id } = await studio.runs.start(prepared, keepingResults(studio, app));
      return { id };
    },
    'POST /runs/:run/again/estimate': async ({ run, body }) => {
      const { prepared } = await prepareRunAgain(studio, run, await body());
      return estimateRun(prepared);
    },
    'POST /runs/:run/resume': async ({ run: id }) => {
      const folder = await runFolder(studio, id);
      if (studio.runs.under().some((run) => run.id === id)) throw refusal(409, `The run "${id}" is under way already.`);
      if (listRun(folder)?.running === true) {
        throw refusal(409, `Another process works on the run "${id}": it can only be watched here.`);
      }
      const listing = listRun(folder);
      const app = listing === null ? null : appOfRun(studio.apps, listing);
      const prepared = await prepareRun({ ...studio.projectOptions, source: { kind: 'resume', run: folder } });
      await studio.runs.start(prepared, keepingResults(studio, app));
      return { id };
    },
    'POST /runs/:run/cancel': ({ run: id }) => {
      ownRun(studio, id).cancel();
      return null;
    },
    'POST /runs/:run/stop': ({ run: id }) => {
      ownRun(studio, id).stop();
      return null;
    },
    'GET /runs/:run/changes': ({ run: id, query }, c) => {
      const run = ownRun(studio, id);
      const after = wholeNumber(query.after, 'after', 0);
      return streamSSE(c, (stream) => sendChanges(run, after, stream));
    },
    'GET /runs/:run/events': async ({ run: id }, c) => {
      const run = studio.runs.get(id);
      if (run !== undefined) return streamSSE(c, (stream) => sendEvents(run, stream));
      const folder = await runFolder(studio, id);
      return streamSSE(c, (stream) => sendUnits(folder, stream));
    },
  } satisfies Partial<Handlers>;
}

function ownRun(studio: Studio, id: string): LiveRun {
  const run = studio.runs.get(id);
  if (run !== undefined) return run;
  throw refusal(404, `This studio does not work on a run "${id}".`);
}

/** Sends the changes to a run's cases in batches, so that a run of many short cases does not flood the page. */
async function sendChanges({ tracker, done }: LiveRun, after: number, stream: SSEStreamingApi): Promise<void> {
  let seen = after;
  const send = async () => {
    const rows = tracker.changedAfter(seen);
    const progress = tracker.progress();
    seen = progress.version;
    await stream.writeSSE({ event: 'change', data: JSON.stringify({ progress, rows } satisfies LiveChange) });
  };
  let wake: () => void = () => undefined;
  const stop = tracker.watch(() => wake());
  let isOver = false;
  const over = endOf(done).then((ending) => {
    isOver = true;
    wake();
    return ending;
  });
  stream.onAbort(() => wake());
  while (!stream.aborted) {
    await send();
    if (isOver) break;
    if (tracker.progress().version === seen) {
      await new Promise<void>((settle) => {
        wake = settle;
      });
    }
    if (!isOver) await stream.sleep(BATCH_INTERVAL);
  }
  stop();
  if (!stream.aborted) await sendEnd(stream, await over);
}

/** Resolves with the error message of a run that failed as a whole. */
function endOf(done: LiveRun['done']): Promise<string | undefined> {
  return done.then(
    () => undefined,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
}

function sendEnd(stream: SSEStreamingApi, problem: string | undefined): Promise<void> {
  return stream.writeSSE({ event: 'end', data: JSON.stringify(problem === undefined ? {} : { problem }) });
}

/** Sends the progress of a run in another process whenever it changes, until the run has ended. */
async function sendUnits(folder: string, stream: SSEStreamingApi): Promise<void> {
  let told = '';
  for (;;) {
    const listing = listRun(folder);
    const units = JSON.stringify(listing?.units ?? null);
    if (units !== told) await stream.writeSSE({ event: 'units', data: units });
    told = units;
    if (listing?.running !== true || stream.aborted) break;
    await stream.sleep(POLL_INTERVAL);
  }
  await stream.writeSSE({ event: 'end', data: '{}' });
}

/** Sends past events and then live ones until the run has ended; the last event is `end`. */
async function sendEvents(run: LiveRun, stream: SSEStreamingApi): Promise<void> {
  let written = Promise.resolve();
  const write = (event: RunEvent): void => {
    written = written.then(() => stream.writeSSE({ event: event.type, data: JSON.stringify(event) }));
  };
  run.events.forEach(write);
  const stop = run.watch(write);
  const gone = new Promise<void>((settle) => stream.onAbort(settle));
  const ending = await Promise.race([endOf(run.done), gone.then(() => undefined)]);
  stop();
  await written;
  await sendEnd(stream, ending);
}

/** Prepares the run that a request asks for. @throws A refusal, or CriteriaError if the run cannot start. */
export async function prepareNewRun(studio: Studio, body: unknown) {
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
  refuseUnknown(body);
  const app = studio.apps.find(({ name }) => name === text('app'));
  if (app === undefined) throw refusal(404, `App not found: ${text('app')}`);
  const ids = texts('sets') ?? (await findSets(app, studio.apps)).map(({ id }) => id);
  const sets = await Promise.all(ids.map((id) => setOf(studio, app.name, id)));
  const [first] = sets;
  if (first === undefined) throw refusal(400, `App \`${app.name}\` has no eval set yet.`);
  const metrics = fieldOf(body, 'metrics');
  if (metrics !== undefined && sets.length > 1) throw wrong('metrics', 'Metrics can be chosen for a single set only.');
  const userSimulator = fieldOf(body, 'userSimulator');
  if (metrics === undefined && userSimulator !== undefined) {
    throw wrong('userSimulator', 'Choose metrics, too: a config is written of both.');
  }
  const asked = { metrics, userSimulator, isWhole: true };
  const running = agentOf(studio, app, {
    agent: text('agent'),
    isOneOfSeveral: fieldOf(body, 'variants') !== undefined,
  });
  const project = await projectOf(studio, running);
  const config = metrics === undefined ? undefined : await runConfig(studio, project, first.file, asked);
  const variants = variantsOf(studio, project, fieldOf(body, 'variants'));
  const failedIn = text('failedIn');
  const tags = texts('tags');
  const options: PrepareRunOptions = {
    ...studio.projectOptions,
    settings: {
      ...studio.projectOptions.settings,
      ...settingsOf(body, studio.projectOptions.settings),
      variants,
    },
    agent: variants === undefined ? (running.agent ?? undefined) : undefined,
    evalSets: sets.map(({ file }) => file),
    cases: texts('cases'),
    filter: { tags, failedIn: failedIn === undefined ? undefined : await runFolder(studio, failedIn) },
    config,
    only: fieldOf(body, 'judged') === false ? 'inferences' : undefined,
  };
  const prepared = await inWordsOfTheDialog(config, () => prepareRun(options));
  return { app, prepared };
}

/** Finds the app whose agent runs. With variants, it may have none. @throws A refusal if it has no agent. */
function agentOf(
  { apps }: Studio,
  app: App,
  { agent, isOneOfSeveral }: { readonly agent: string | undefined; readonly isOneOfSeveral: boolean },
): App {
  if (agent !== undefined && isOneOfSeveral) throw wrong('agent', 'Choose one agent, or variants.');
  const found = agent === undefined ? app : apps.find(({ name }) => name === agent);
  if (found !== undefined && (found.agent !== null || isOneOfSeveral)) return found;
  const names = apps.flatMap(({ name, agent: own }) => (own === null ? [] : [name]));
  const there = names.length === 0 ? 'No app of this studio has one.' : `Choose one of ${names.join(', ')}.`;
  if (agent !== undefined) throw wrong('agent', `There is no agent "${agent}" here. ${there}`);
  throw refusal(400, `App \`${app.name}\` has eval sets, but no agent of its own. ${there}`);
}

/** Keys allowed in a request. */
const KEYS = {
  app: true,
  agent: true,
  sets: true,
  cases: true,
  tags: true,
  failedIn: true,
  repeats: true,
  judgeModel: true,
  concurrency: true,
  variants: true,
  judged: true,
  metrics: true,
  userSimulator: true,
} as const satisfies Record<keyof NewRun, true>;

/**
 * Rejects unknown keys, because otherwise a setting, such as a limit, would be silently ignored. @throws A 422 refusal.
 */
function refuseUnknown(body: unknown): void {
  const names = Object.keys(KEYS);
  const camel = (key: string) => key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  const unknown = Object.keys(isObject(body) ? body : {}).filter((key) => !names.includes(camel(key)));
  if (unknown.length === 0) return;
  throw refusal(
    422,
    unknown.map((key) => {
      const hint = didYouMean(key, names) || `; there are ${names.join(', ')}`;
      return { type: 'extra_forbidden', loc: ['body', key], msg: `A run has no setting "${key}"${hint}` };
    }),
  );
}

/** Omits the file name from problems in a generated config. */
async function inWordsOfTheDialog<Value>(config: string | undefined, work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    if (!CriteriaError.is(error)) throw error;
    const problems = error.problems.map(({ file, ...problem }) => (file === config ? problem : { ...problem, file }));
    throw new CriteriaError(problems, { cause: error });
  }
}

/** Also stores the results of a judged run where ADK's routes find them. */
function keepingResults(studio: Studio, app: App | null): (run: ExecutedRun) => Promise<void> {
  return async ({ folder, outcome }) => {
    if (app !== null && outcome.finished && listRun(folder)?.summary) await keepResults(studio, app, folder);
  };
}

function wrong(name: string, msg: string): Error {
  return mistake(['body', name], msg);
}

/** Reads the variants in a request: agents of this studio's apps, or those in the project's config, but never paths. */
function variantsOf(studio: Studio, project: Project, asked: unknown): Settings['variants'] {
  if (asked === undefined) return undefined;
  if (asked === 'config') {
    const { variants } = project.config.settings;
    if (variants === undefined) throw wrong('variants', 'The config of the project has no variants.');
    return variants;
  }
  const form = 'Send "config", or a list of { "name", "app", "agentName" }.';
  if (!Array.isArray(asked) || asked.length === 0) throw wrong('variants', form);
  const named = asked.map((one): [string, string] => {
    const [name, appName, agentName] = [fieldOf(one, 'name'), fieldOf(one, 'app'), fieldOf(one, 'agentName') ?? ''];
    if (typeof name !== 'string' || typeof appName !== 'string' || typeof agentName !== 'string') {
      throw wrong('variants', form);
    }
    const agent = studio.apps.find((app) => app.name === appName)?.agent;
    if (agent === undefined || agent === null) throw wrong('variants', `There is no agent "${appName}" here.`);
    if (!/^[\w$]*$/.test(agentName)) throw wrong('variants', `"${agentName}" is not the name of an export.`);
    return [name, agentName === '' ? agent : `${agent}#${agentName}`];
  });
  const names = named.map(([name]) => name);
  const twice = names.find((name, place) => names.indexOf(name) !== place);
  if (twice !== undefined)
    throw wrong('variants', `Two variants are called "${twice}": results could not tell them apart.`);
  return Object.fromEntries(named);
}

/** Settings that a request can choose, by their names in the request. */
const CHOSEN = { repeats: 'repeats', judgeModel: 'judgeModel', concurrency: 'concurrency.agents' } as const;

/** Validates settings against the same limits as the command. */
function settingsOf(body: unknown, before: Settings | undefined): Settings {
  for (const [name, setting] of Object.entries(CHOSEN)) {
    const value = fieldOf(body, name);
    const mistake = value === undefined ? null : mistakeInSetting(setting, value);
    if (mistake !== null) throw wrong(name, `This ${mistake}.`);
  }
  const chosen = (name: keyof typeof CHOSEN) => fieldOf(body, name) as NewRun[typeof name];
  const [repeats, judgeModel, agents] = [chosen('repeats'), chosen('judgeModel'), chosen('concurrency')];
  return {
    ...(repeats === undefined ? {} : { repeats }),
    ...(judgeModel === undefined ? {} : { judgeModel }),
    ...(agents === undefined ? {} : { concurrency: { ...before?.concurrency, agents } }),
  } as Settings;
}
