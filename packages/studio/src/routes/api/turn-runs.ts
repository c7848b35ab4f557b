import { isObject, messageTitle } from '@agent-criteria/formats';
import { fieldOf } from '@agent-criteria/formats/schema';
import { tokenPrices } from '@agent-criteria/results';
import { type SSEStreamingApi, streamSSE } from 'hono/streaming';
import type { BesideAgent, NewTurnRun, TurnAnswerKey, TurnPlace, TurnRunChange } from '../../api.ts';
import { mistake } from '../../http/refusal.ts';
import type { Studio } from '../../studio.ts';
import { estimateTurnRun } from '../../turn-runs/estimate-turn-run.ts';
import { prepareTurnRun } from '../../turn-runs/prepare-turn-run.ts';
import { sessionOfAnswer } from '../../turn-runs/session-of-answer.ts';
import { turnRunDetail } from '../../turn-runs/turn-run-detail.ts';
import type { LiveTurnRun } from '../../turn-runs/turn-runs.ts';
import { turnsFrom, turnUsage } from '../../turn-runs/turn-usage.ts';
import type { Handlers } from './handlers.ts';

/** Most times that a turn is run again. */
const MOST = 20;
/** Interval in milliseconds between two changes that are sent. */
const INTERVAL = 150;

/** Runs single turns again, and serves their answers. */
export function turnRunRoutes(studio: Studio) {
  const { mask, turnRuns } = studio;
  return {
    'GET /turn-runs': ({ query: { app } }) =>
      mask.json(
        turnRuns
          .list()
          .filter((one) => app === undefined || one.app === app)
          .map(({ id, of, app: own, startedAt, times, agents, original }) => ({
            id,
            of,
            app: own,
            startedAt,
            times,
            agents: agents.map(({ name }) => ({ name })),
            message: messageTitle(original.invocation.userContent).slice(0, 200),
          })),
      ),
    'POST /turn-runs/estimate': async ({ body }) =>
      mask.json(await estimateTurnRun(studio, await prepareTurnRun(studio, newTurnRun(await body())))),
    'POST /turn-runs': async ({ body }) => {
      const ready = await prepareTurnRun(studio, newTurnRun(await body()));
      const { original: invocation, problem, recorded, turn } = ready.source;
      const prices = tokenPrices(ready.prepared.project.config.settings.prices);
      const usage = turnUsage(turnsFrom(recorded, turn), prices);
      return { id: await turnRuns.start(ready, { invocation, problem, usage }) };
    },
    'GET /turn-runs/:turnRun': async ({ turnRun }) => mask.json(await turnRunDetail(studio, turnRun)),
    'GET /turn-runs/:turnRun/changes': ({ turnRun }, c) => {
      turnRuns.read(turnRun);
      const run = turnRuns.live(turnRun);
      const masked = (change: TurnRunChange) => JSON.stringify(mask.json(change));
      return streamSSE(c, (stream) => sendChanges(run, stream, masked));
    },
    'POST /turn-runs/:turnRun/cancel': ({ turnRun }) => {
      turnRuns.read(turnRun);
      turnRuns.live(turnRun)?.cancel();
      return null;
    },
    'POST /turn-runs/:turnRun/session': async ({ turnRun, body }) => {
      const { appName, id } = await sessionOfAnswer(studio, turnRun, answerKey(await body()));
      return { app: appName, session: id };
    },
  } satisfies Partial<Handlers>;
}

async function sendChanges(
  run: LiveTurnRun | undefined,
  stream: SSEStreamingApi,
  masked: (change: TurnRunChange) => string,
): Promise<void> {
  if (run !== undefined) {
    const { tracker } = run;
    let seen = -1;
    let wake: () => void = () => undefined;
    const stop = tracker.watch(() => wake());
    void run.done.then(() => wake());
    stream.onAbort(() => wake());
    for (;;) {
      const isOver = run.isOver;
      if (tracker.version() > seen) {
        const change = tracker.changedAfter(seen);
        seen = tracker.version();
        await stream.writeSSE({ event: 'change', data: masked(change) });
      }
      if (isOver || stream.aborted) break;
      if (tracker.version() === seen && !run.isOver) {
        await new Promise<void>((settle) => {
          wake = settle;
        });
      }
      if (!run.isOver) await stream.sleep(INTERVAL);
    }
    stop();
  }
  if (!stream.aborted) await stream.writeSSE({ event: 'end', data: '{}' });
}

/** @throws A 422 refusal. */
function newTurnRun(body: unknown): NewTurnRun {
  const times = fieldOf(body, 'times');
  if (typeof times !== 'number' || !Number.isInteger(times) || times < 1 || times > MOST) {
    throw mistake(['body', 'times'], `Send a whole number from 1 to ${MOST}.`);
  }
  return { of: turnPlace(fieldOf(body, 'of')), times, beside: besideAgent(fieldOf(body, 'beside')) };
}

function turnPlace(of: unknown): TurnPlace {
  const text = (name: string) => {
    const value = fieldOf(of, name);
    if (typeof value === 'string' && value !== '') return value;
    throw mistake(['body', 'of', name], 'Field required', 'missing');
  };
  const position = (name: string) => {
    const value = fieldOf(of, name);
    if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
    throw mistake(['body', 'of', name], 'This must be a whole number from 0 on.', 'int_parsing');
  };
  if (fieldOf(of, 'session') !== undefined) {
    return { app: text('app'), session: text('session'), event: text('event') };
  }
  const variant = fieldOf(of, 'variant');
  return {
    run: text('run'),
    set: text('set'),
    case: text('case'),
    variant: typeof variant === 'string' ? variant : undefined,
    repeat: position('repeat'),
    turn: position('turn'),
  };
}

function besideAgent(beside: unknown): BesideAgent | undefined {
  if (beside === undefined || beside === null) return undefined;
  const form = 'Send { "app", "agentName" } or { "variant" }.';
  if (!isObject(beside)) throw mistake(['body', 'beside'], form);
  const [app, agentName, variant] = [fieldOf(beside, 'app'), fieldOf(beside, 'agentName'), fieldOf(beside, 'variant')];
  if (typeof variant === 'string') return { variant };
  if (typeof app !== 'string') throw mistake(['body', 'beside'], form);
  if (agentName === undefined || agentName === '') return { app };
  if (typeof agentName !== 'string' || !/^[\w$]+$/.test(agentName)) {
    throw mistake(['body', 'beside', 'agentName'], 'This must be the name of an export.');
  }
  return { app, agentName };
}

function answerKey(body: unknown): TurnAnswerKey {
  const [variant, repeat] = [fieldOf(body, 'variant') ?? null, fieldOf(body, 'repeat')];
  if (typeof repeat === 'number' && Number.isSafeInteger(repeat) && (variant === null || typeof variant === 'string')) {
    return { variant, repeat };
  }
  throw mistake(['body', 'repeat'], 'Send { "variant", "repeat" }.');
}
