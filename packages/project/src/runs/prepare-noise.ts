import { CriteriaError } from '@agent-criteria/core';
import { endedInError } from '@agent-criteria/core/host';
import type { RunInference } from '@agent-criteria/results';
import { MOST_REPEATS, openRun } from '@agent-criteria/runner';
import { makesCalls } from '../plan/planned-models.ts';
import { splitVariant } from './open-outcomes.ts';
import { type PreparedRun, type PrepareRescoreOptions, prepareRescore } from './prepare-run.ts';

/** The answers of a run, each to be judged several times. */
export interface PreparedNoise {
  /** For `executeRun`, with a folder that is thrown away: the run itself and its scorings stay as they are. */
  readonly prepared: PreparedRun;
  /** The id of the run whose answers they are. */
  readonly run: string;
  /** How many conversations there are, each to be judged `times` times. */
  readonly conversations: number;
  /** How often each is judged: repeats 0 to `times` - 1 are of the agent's first repeat. */
  readonly times: number;
}

/**
 * Prepares that what a run has recorded is judged again and again by the criteria that make calls, without the cache. No agent runs.
 *
 * @param word As for `prepareRescore`; `RUN#NAME` is one of its variants.
 * @throws CriteriaError as `prepareRescore`; USAGE where a run of several variants is named without one, or no criterion makes calls.
 */
export async function prepareNoise(
  word: string | undefined,
  times: number,
  options: PrepareRescoreOptions = {},
): Promise<PreparedNoise> {
  if (!Number.isSafeInteger(times) || times < 2) {
    const message = 'to measure the noise of a judge, judge the same answers at least twice';
    throw new CriteriaError({ code: 'USAGE', message });
  }
  const { run: named, variant } = splitVariant(word);
  const rescore = await prepareRescore(named, { ...options, settings: { ...options.settings, cache: false } });
  const opened = openRun(rescore.folder ?? '');
  const { id, repeats: ofAgent, variants = [] } = opened.info;
  const names = variants.map(({ name }) => name);
  if (variant === undefined ? names.length > 1 : !names.includes(variant)) {
    const what = variant === undefined ? 'has several variants: name one' : `has no variant "${variant}"`;
    const there = names.map((name) => `${id}#${name}`).join(' or ') || 'it has none';
    throw new CriteriaError({ code: 'USAGE', message: `the run ${id} ${what}; ${there}` });
  }
  if (opened.info.auto !== undefined) {
    const message = `the cases of the run ${id} did not all run equally often (--num-runs auto): use a run with a fixed number of repeats`;
    throw new CriteriaError({ code: 'USAGE', message });
  }
  const repeats = ofAgent * times;
  if (repeats > MOST_REPEATS) {
    const message = `${ofAgent} repeats judged ${times} times each are more than ${MOST_REPEATS}: judge them less often`;
    throw new CriteriaError({ code: 'USAGE', message });
  }
  const sets = rescore.sets
    .map((set) => {
      const criteria = set.plan.criteria.filter((one) => makesCalls({ ...set.plan, simulator: null, criteria: [one] }));
      return { ...set, plan: { ...set.plan, simulator: null, criteria } };
    })
    .filter(({ plan }) => plan.criteria.length > 0);
  if (sets.length === 0) {
    const message = `no criterion of the run ${id} asks a model, so there is no judge whose noise could be measured`;
    throw new CriteriaError({ code: 'USAGE', message });
  }
  const wanted = new Set(
    sets.flatMap(({ plan: { evalSet } }) =>
      evalSet.evalCases.map(({ evalId }) => JSON.stringify([evalSet.evalSetId, evalId])),
    ),
  );
  const inferences: RunInference[] = [];
  let conversations = 0;
  for await (const one of opened.cases()) {
    if (one.variant !== variant || !wanted.has(JSON.stringify([one.setId, one.evalCase.evalId]))) continue;
    for (const { key, ...made } of one.inferences) {
      if (endedInError(made.inference.ending)) continue;
      conversations += 1;
      for (let time = 0; time < times; time++) {
        const { setId, caseId } = key;
        inferences.push({ ...made, key: { setId, caseId, repeat: key.repeat * times + time } });
      }
    }
  }
  const prepared: PreparedRun = {
    ...rescore,
    sets,
    agent: null,
    variants: undefined,
    repeats,
    folder: undefined,
    copied: { agent: opened.info.agent, inferences },
  };
  return { prepared, run: id, conversations, times };
}
