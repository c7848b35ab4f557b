import type { RunCase, RunSet } from '@agent-criteria/results';
import { tokenPrices } from '@agent-criteria/results';
import { type OpenedRun, openRun } from '@agent-criteria/runner';
import type { TurnAnswer, TurnAnswerKey, TurnRunDetail, TurnScore } from '../api.ts';
import { appOf, projectOf } from '../apps/app.ts';
import { refusal } from '../http/refusal.ts';
import type { Studio } from '../studio.ts';
import type { KeptTurnRun } from './turn-runs.ts';
import { turnUsage } from './turn-usage.ts';

/** Reads a turn run with its answers so far. */
export async function turnRunDetail(studio: Studio, id: string): Promise<TurnRunDetail> {
  const kept = studio.turnRuns.read(id);
  const live = studio.turnRuns.live(id);
  const run = opened(studio, kept);
  const project = await projectOf(studio, appOf(studio, kept.app)).catch(() => null);
  const prices = project === null ? undefined : tokenPrices(project.config.settings.prices);
  const answers: TurnAnswer[] = [];
  for (const { variant } of kept.agents) {
    const one = run === null ? undefined : await caseOf(run, kept, variant);
    for (let repeat = 0; repeat < kept.times; repeat += 1) {
      const found = one === undefined ? null : answerOf(one, repeat, kept, prices);
      const progress = live?.tracker.progress({ variant, repeat }) ?? null;
      const state = found === null ? 'left' : 'done';
      answers.push({
        variant,
        repeat,
        ...(progress ?? { state, resent: 0, text: '', calls: [] }),
        ...(found ?? NOTHING),
      });
    }
  }
  const set: RunSet | undefined = run?.sets[0];
  const isOver = live === undefined || live.isOver;
  const isWhole = answers.every(({ state }) => state === 'done');
  return {
    id,
    of: kept.of,
    app: kept.app,
    startedAt: kept.startedAt,
    state: !isOver
      ? live?.isCancelled
        ? 'cancelling'
        : 'running'
      : kept.isCancelled || live?.isCancelled
        ? 'cancelled'
        : isWhole || live !== undefined
          ? 'finished'
          : 'ended',
    turn: kept.turn,
    times: kept.times,
    agents: kept.agents,
    original: kept.original,
    expected: kept.expected,
    criteria: kept.judged ? (set?.criteria ?? []) : [],
    unscored: kept.unscored,
    answers,
    problem: live?.problem ?? null,
  };
}

/** Reads the case with one of the answers. @throws A 404 refusal if it has none yet. */
export async function caseOfAnswer(
  studio: Studio,
  id: string,
  { variant, repeat }: TurnAnswerKey,
): Promise<{ readonly kept: KeptTurnRun; readonly one: RunCase }> {
  const kept = studio.turnRuns.read(id);
  const run = opened(studio, kept);
  const one = run === null ? undefined : await caseOf(run, kept, variant);
  if (one?.inferences.some(({ key }) => key.repeat === repeat) === true) return { kept, one };
  throw refusal(404, `The turn run has no answer ${repeat + 1} yet.`);
}

function opened(studio: Studio, kept: KeptTurnRun): OpenedRun | null {
  try {
    return openRun(studio.turnRuns.folderOf(kept));
  } catch {
    // Its first files are still being written, or it ended before.
    return null;
  }
}

function caseOf(run: OpenedRun, { setId, caseId }: KeptTurnRun, variant: string | null): Promise<RunCase | undefined> {
  return run.case({ setId, caseId, ...(variant === null ? {} : { variant }) });
}

type Recorded = Pick<TurnAnswer, 'invocation' | 'problem' | 'time' | 'usage' | 'verdict' | 'scores'>;

const NOTHING: Recorded = { invocation: null, problem: null, time: null, usage: null, verdict: null, scores: [] };

function answerOf(
  one: RunCase,
  repeat: number,
  { turn, judged }: KeptTurnRun,
  prices: Parameters<typeof turnUsage>[1],
): Recorded | null {
  const recorded = one.inferences.find(({ key }) => key.repeat === repeat);
  if (recorded === undefined) return null;
  const { inference, startedAt, endedAt } = recorded;
  const { ending } = inference;
  const unit = one.result.units.find((each) => each.repeat === repeat);
  // The replayed turns cost nothing, and have no calls of their own.
  const own = inference.history === 'given' ? turn : 0;
  const counted = {
    ...recorded,
    inference: {
      ...inference,
      invocations: inference.invocations.slice(own),
      trace: (inference.trace ?? []).flatMap((span) => (span.turn < own ? [] : [{ ...span, turn: span.turn - own }])),
    },
  };
  return {
    invocation: inference.invocations[turn] ?? null,
    problem:
      ending.by === 'error' ? ending.error.message : ending.by === 'abort' ? (ending.reason ?? 'Stopped.') : null,
    time: startedAt === undefined || endedAt === undefined ? null : endedAt - startedAt,
    usage: turnUsage(counted, prices),
    verdict: judged && unit !== undefined ? unit.verdict : null,
    scores: judged && unit !== undefined ? scoresOf(one, unit) : [],
  };
}

function scoresOf(one: RunCase, { repeat, criteria }: RunCase['result']['units'][number]): readonly TurnScore[] {
  return criteria.map(({ name, verdict, score }) => {
    const turns = one.result.criteria.find((criterion) => criterion.name === name)?.turns ?? [];
    const reasons = turns.flatMap((each) =>
      each.repeat === repeat && each.score.reason !== undefined && each.reached !== null ? [each.score.reason] : [],
    );
    return { name, verdict, score, reason: reasons.at(-1) ?? null };
  });
}
