import { CriteriaError, type Json, type Problem } from '@agent-criteria/core';
import { stringifyJson } from '@agent-criteria/formats';
import type { SecretMask } from '@agent-criteria/masking';
import { maskRunPlan, maskScoringPlan } from './describe-run.ts';
import { listScorings } from './layout.ts';
import { type AgentRecord, type RunPlan, type RunPlans, readScoringPlan, type ScoringPlan } from './plan-file.ts';

/**
 * Returns the scoring pass to resume, or 0 if there is none yet.
 * @throws CriteriaError RUN_CHANGED listing every difference.
 */
export function checkUnchanged(
  folder: string,
  before: RunPlan,
  now: RunPlans,
  {
    judge,
    mask,
    workingFolder,
  }: { readonly judge: boolean; readonly mask: SecretMask | null; readonly workingFolder: string | undefined },
): { readonly scoring: number; readonly warnings: readonly Problem[] } {
  const scoring = listScorings(folder).at(-1) ?? 0;
  const changes = [
    ...runChanges(maskRunPlan(before, mask), now.run),
    ...(judge && scoring > 0
      ? scoringChanges(maskScoringPlan(readScoringPlan(folder, scoring, workingFolder), mask), now.scoring)
      : []),
  ].filter(({ message }, index, all) => all.findIndex((other) => other.message === message) === index);
  if (changes.length > 0) {
    const advice = 'start a new run, or score this one with the new config';
    throw new CriteriaError(
      changes.map((problem, index) =>
        index === 0 ? { ...problem, message: `${problem.message}; ${advice}` } : problem,
      ),
    );
  }
  const changed = [
    ...agentChanges(before.agent, now.run.agent, 'the agent'),
    ...(before.variants ?? []).flatMap((one, index) => {
      const today = now.run.variants?.[index];
      return today === undefined ? [] : agentChanges(one, today, `the agent of the variant "${one.variant}"`);
    }),
  ];
  return { scoring, warnings: changed };
}

function agentChanges(before: AgentRecord, now: AgentRecord, whose: string): Problem[] {
  const { hash, path, agentName } = before;
  if ((hash === null || now.hash === hash) && agentName === now.agentName) return [];
  const message = `${whose} has changed since this run began: the run has inferences from before and after the change`;
  return [{ code: 'RUN_CHANGED', message, ...(path === null ? {} : { file: path }) }];
}

/**
 * Lists differences from the plan that the run started with. Resuming despite them would mix results of different
 * inputs.
 */
function runChanges(before: RunPlan, now: RunPlan): Problem[] {
  return [
    ...changed('the number of repeats', before.repeats, now.repeats),
    ...changed('the pass rate at which cases stop', before.auto?.casePassRate ?? null, now.auto?.casePassRate ?? null),
    ...variantChanges(before, now),
    ...changed('the compat mode', before.compat, now.compat),
    ...packageChanges(before.packages, now.packages),
    ...setChanges(before.sets, now.sets),
    ...now.sets.flatMap((set) => {
      const earlier = before.sets.find(({ id }) => id === set.id);
      if (earlier === undefined) return [];
      return [
        ...(same(earlier.simulator, set.simulator)
          ? []
          : [change(`the simulated user of "${set.id}", or its model, has changed`, set.file)]),
        ...(same(earlier.environment ?? null, set.environment ?? null)
          ? []
          : [change(`the simulated environment of "${set.id}", or its model, has changed`, set.file)]),
      ];
    }),
  ];
}

export function scoringChanges(before: ScoringPlan, now: ScoringPlan): Problem[] {
  return [
    ...changed('the compat mode', before.compat, now.compat),
    ...packageChanges(before.packages, now.packages),
    ...setChanges(before.sets, now.sets),
    ...now.sets.flatMap((set) => {
      const earlier = before.sets.find(({ id }) => id === set.id);
      if (earlier === undefined) return [];
      return criteriaChanges(earlier, set).map((message) => change(message, set.configFile));
    }),
  ];
}

function variantChanges(before: RunPlan, now: RunPlan): Problem[] {
  const names = ({ variants }: RunPlan) => variants?.map(({ variant }) => variant).join(', ');
  const [then, today] = [names(before), names(now)];
  if (then === today) return [];
  const message = `the run has ${then === undefined ? 'one agent and no variants' : `the variants ${then}`}, but now there ${today === undefined ? 'is one agent and no variants' : `are the variants ${today}`}`;
  return [change(message, null)];
}

type SetRecord = { readonly id: string; readonly file: string | null; readonly hash: string };

function setChanges(before: readonly SetRecord[], now: readonly SetRecord[]): Problem[] {
  const gone = before.filter(({ id }) => !now.some((set) => set.id === id));
  return [
    ...gone.map((set) => change(`the run has the eval set "${set.id}", which is missing now`, set.file)),
    ...now.flatMap((set) => {
      const earlier = before.find(({ id }) => id === set.id);
      if (earlier === undefined) return [change(`the eval set "${set.id}" is not part of the run`, set.file)];
      return earlier.hash === set.hash ? [] : [change(`the eval set "${set.id}" has changed`, set.file)];
    }),
  ];
}

type SetOfScoring = ScoringPlan['sets'][number];

function criteriaChanges(before: SetOfScoring, now: SetOfScoring): string[] {
  const gone = before.criteria.filter(({ name }) => !now.criteria.some((criterion) => criterion.name === name));
  return [
    ...gone.map(({ name }) => `"${now.id}" was judged by ${name}, which is missing now`),
    ...now.criteria.flatMap((criterion) => {
      const earlier = before.criteria.find(({ name }) => name === criterion.name);
      if (earlier === undefined) return [`"${now.id}" was not judged by ${criterion.name}`];
      const { origin: _before, description: _old, ...was } = earlier;
      const { origin: _now, description: _new, ...is } = criterion;
      if (same(was, is)) return [];
      if (!same(earlier.models, criterion.models)) {
        return [`the model of ${criterion.name} was ${ids(earlier.models)} and is ${ids(criterion.models)}`];
      }
      if (earlier.threshold !== criterion.threshold) {
        return [`the threshold of ${criterion.name} was ${earlier.threshold} and is ${criterion.threshold}`];
      }
      return [
        `the options of ${criterion.name} have changed: ${text(earlier.written)} then, ${text(criterion.written)} now`,
      ];
    }),
  ];
}

/** Joins the ids of models, which are stored under the names that criteria request. */
function ids(models: Json): string {
  return typeof models === 'object' && models !== null ? Object.values(models).join(' and ') : text(models);
}

function packageChanges(before: Readonly<Record<string, string>>, now: Readonly<Record<string, string>>): Problem[] {
  return Object.entries(before).flatMap(([name, version]) => {
    if (now[name] === version) return [];
    const is = now[name] === undefined ? 'is missing now' : `is ${now[name]} now`;
    return [change(`${name} was ${version} and ${is}`, null)];
  });
}

function changed(what: string, before: Json, now: Json): Problem[] {
  return same(before, now) ? [] : [change(`${what} was ${text(before)} and is ${text(now)}`, null)];
}

function change(message: string, file: string | null): Problem {
  return { code: 'RUN_CHANGED', message, ...(file === null ? {} : { file }) };
}

function text(value: Json): string {
  const json = stringifyJson(value);
  return json.length > 200 ? `${json.slice(0, 200)}…` : json;
}

/** Compares two values as JSON. Both were written by the same code, so their keys are in the same order. */
function same(left: unknown, right: unknown): boolean {
  return stringifyJson(left) === stringifyJson(right);
}
