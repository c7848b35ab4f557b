import { CriteriaError } from '@agent-criteria/core';
import { endedInError } from '@agent-criteria/core/host';
import type { RunInference } from '@agent-criteria/results';
import { MOST_REPEATS, openRun } from '@agent-criteria/runner';
import { makesCalls } from '../plan/planned-models.ts';
import { splitVariant } from './open-outcomes.ts';
import { folderOfSource, type PreparedRun, type PrepareRunOptions, type RunSource } from './prepared-run.ts';
import { runAgain } from './run-again.ts';

/**
 * Prepares the answers of a run to be judged several times by the criteria that make calls, without the cache.
 * @throws CriteriaError USAGE also if a run with several variants is named without one, or if no criterion makes calls.
 */
export async function noiseRun(
  { run: word, times }: Extract<RunSource, { readonly kind: 'noise' }>,
  options: PrepareRunOptions,
): Promise<PreparedRun> {
  if (!Number.isSafeInteger(times) || times < 2) {
    const message = 'to measure the noise of a judge, judge the same answers at least twice';
    throw new CriteriaError({ code: 'USAGE', message });
  }
  const { run: named, variant } = splitVariant(word);
  const settings = { ...options.settings, cache: false as const };
  const rescore = await runAgain({ kind: 'rescore', run: named }, { ...options, settings });
  const opened = openRun(folderOfSource(rescore.source) ?? '');
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
      const criteria = set.plan.criteria.filter((one) => makesCalls({ criteria: [one] }));
      return { ...set, plan: { ...set.plan, simulator: null, environments: new Map(), criteria } };
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
  return {
    ...rescore,
    sets,
    agents: [{ variant: undefined, agent: null }],
    source: { kind: 'noise', run: id, agent: opened.info.agent, inferences, conversations },
    repeats,
  };
}
