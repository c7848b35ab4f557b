import { dirname, resolve } from 'node:path';
import { CriteriaError, type Problem } from '@agent-criteria/core';
import type { CaseSelection } from '@agent-criteria/results';
import type { LeftOut, RecordedCriterion, RecordedResult } from '@agent-criteria/results/adk';
import { knownCriteria } from '@agent-criteria/runner';
import { openProject, type Project } from '../../config/open-project.ts';
import { conditionsOf, fittingCases, selectedBy, withIds } from '../../plan/case-filter.ts';
import { type PlanOptions, type PreparedSet, planSet, warningsOf } from '../../plan/plan-sets.ts';
import type { PreparedRun, PrepareRunOptions, RunSource } from '../prepared-run.ts';
import { readRecordedResult } from './read-recorded-result.ts';

/** Prepares to judge an ADK result file again without the agent. @throws CriteriaError also if no criterion is left. */
export async function resultFileRun(
  { file }: Extract<RunSource, { readonly kind: 'recorded' }>,
  options: PrepareRunOptions,
): Promise<PreparedRun> {
  const { config } = options;
  const result = await readRecordedResult(file);
  const folder = folderOf(file);
  const project = await openProject({ ...options, agent: folder });
  const chosen = chosenCases(result, file, options);
  const { set, leftOut } = await planRecorded(result, chosen?.cases ?? [], {
    config,
    project,
    folder: folder ?? '.',
    only: 'scores',
  });
  return {
    project,
    sets: [set],
    agents: [{ variant: undefined, agent: null }],
    source: {
      kind: 'recorded',
      recorded: { file, folder: folder ?? '.', result, leftOut, otherConfig: config !== undefined },
    },
    selection: chosen?.selection,
    repeats: result.repeats,
    judged: true,
    warnings: [...inFile(result.warnings, file), ...warningsOf([set])],
  };
}

/** Returns the cases to judge, or `undefined` for all of them. */
function chosenCases(
  { evalSet: { evalSetId: setId, evalCases: cases } }: RecordedResult,
  file: string,
  { cases: ids = [], filter = {} }: PrepareRunOptions,
): { readonly cases: readonly string[]; readonly selection: CaseSelection } | undefined {
  if (filter.failedIn !== undefined) {
    const message = 'failed cases can only be selected from a run, not from this file: use --case, --tag or --grep';
    throw new CriteriaError({ code: 'USAGE', file, message });
  }
  const conditions = conditionsOf(filter, undefined);
  if (ids.length + conditions.length === 0) return undefined;
  const unknown = ids.filter((id) => !cases.some(({ evalId }) => evalId === id));
  if (unknown.length > 0) {
    throw new CriteriaError({ code: 'UNKNOWN_CASE', file, message: `the file has no case ${unknown.join(', ')}` });
  }
  const [fitting = []] = fittingCases([{ setId, file, cases: withIds(cases, ids) }], filter, conditions);
  return { cases: fitting, selection: { of: cases.length, by: selectedBy(ids, conditions) } };
}

/** Returns the agent's folder, if the file is in its history. */
function folderOf(file: string): string | undefined {
  const folder = dirname(resolve(file));
  return /[/\\]\.adk[/\\]eval_history$/.test(folder) ? resolve(folder, '..', '..') : undefined;
}

function inFile(problems: readonly Problem[], file: string): readonly Problem[] {
  return problems.map((problem) => ({ ...problem, file: problem.file ?? file }));
}

async function planRecorded(
  result: RecordedResult,
  cases: readonly string[],
  options: PlanOptions,
): Promise<{ readonly set: PreparedSet; readonly leftOut: ReadonlyMap<string, LeftOut> }> {
  const leftOut = new Map<string, LeftOut>();
  const given = options.config !== undefined;
  let left = result.criteria;
  for (;;) {
    const config = given ? options.config : configOf(left);
    try {
      const planned = await planSet(result.evalSet, cases, { ...options, config });
      const set = withoutScenarios(planned, leftOut);
      const names = new Set(set.plan.criteria.map(({ name }) => name));
      for (const { name } of result.criteria) {
        if (names.has(name) || leftOut.has(name)) continue;
        const why = given ? 'the given config does not name it' : 'no plugin of this project has it';
        leftOut.set(name, { why, explained: given });
      }
      if (set.plan.criteria.every(({ byDefault }) => byDefault === true)) throw noneLeft(leftOut);
      return { set: { ...set, file: null }, leftOut };
    } catch (error) {
      const unfit = given || !CriteriaError.is(error) ? null : unfitCriteria(error, left, options.project);
      if (unfit === null) throw given ? error : withAdvice(error);
      for (const [name, why] of unfit) leftOut.set(name, why);
      left = left.filter(({ name }) => !unfit.has(name));
      if (left.length === 0) throw noneLeft(leftOut);
    }
  }
}

/** Adds the advice to choose other criteria to the error for a recorded metric. */
function withAdvice(error: unknown): unknown {
  const [first, ...rest] = CriteriaError.is(error) ? error.problems : [];
  if (first === undefined || first.code === 'EMPTY' || !first.path?.startsWith('$.criteria.')) return error;
  const message = `${first.message}; or choose other criteria with --config-file-path`;
  return new CriteriaError([{ ...first, message }, ...rest], { cause: error });
}

/**
 * Makes a config from the recorded criteria. Those that ADK measures in every run are also measured here by default.
 */
function configOf(criteria: readonly RecordedCriterion[]): unknown {
  const deciding = criteria.filter(({ threshold }) => threshold !== null);
  const byDefault = new Set(knownCriteria.flatMap((one) => (one.measuredByDefault === true ? [one.name] : [])));
  const measure = criteria.flatMap(({ name, threshold }) => (threshold === null && !byDefault.has(name) ? [name] : []));
  return {
    criteria: Object.fromEntries(deciding.map(({ name, written }) => [name, written])),
    ...(measure.length === 0 ? {} : { agent_criteria: { measure } }),
  };
}

/**
 * Finds criteria that are the only reason why no plan can be made, with an explanation for each. Returns `null` if
 * there is another mistake.
 */
function unfitCriteria(
  { problems }: CriteriaError,
  criteria: readonly RecordedCriterion[],
  project: Project,
): ReadonlyMap<string, LeftOut> | null {
  const plugins = [...(project.builtIn?.plugins ?? []), ...project.config.plugins];
  const isKnown = (name: string) =>
    knownCriteria.some((one) => one.name === name) ||
    plugins.some((one) => one.kind === 'criterion' && one.name === name);
  const unfit = new Map<string, LeftOut>();
  for (const { code, message, path = '' } of problems) {
    const own = criteria.find(({ name }) => path === `$.criteria.${name}` || path.startsWith(`$.criteria.${name}.`));
    const named = own ?? criteria.find(({ name }) => path === '$.agent_criteria.measure' && message.includes(name));
    if (named === undefined) return null;
    const { name } = named;
    const why = leftOutFor(code, message, isKnown(name));
    if (why === null) return null;
    if (!unfit.has(name)) unfit.set(name, why);
  }
  return unfit.size === 0 ? null : unfit;
}

function leftOutFor(code: Problem['code'], message: string, isKnown: boolean): LeftOut | null {
  const [why = ''] = message.split('. ');
  if (code === 'NEEDS_UNMET')
    return { why: `docs/adk-parity.md: criterion-that-never-applies: ${why}`, explained: true };
  if (code === 'INVALID_THRESHOLD') return { why: `docs/adk-parity.md: thresholds: ${why}`, explained: true };
  if (code !== 'UNKNOWN_CRITERION' || isKnown) return null;
  const unknown =
    'this is not a criterion that agent-criteria knows: add its plugin or function with --config-file-path';
  return { why: unknown, explained: false };
}

/** Removes criteria that need the scenario of a simulated conversation, because a result file does not contain it. */
function withoutScenarios<Set extends Pick<PreparedSet, 'plan'>>(set: Set, leftOut: Map<string, LeftOut>): Set {
  const { plan } = set;
  const unfit = plan.criteria.filter(({ criterion }) => criterion.needs?.scenario === true);
  const why = 'it judges the simulated user by the scenario, which a result file does not contain';
  for (const { name } of unfit) leftOut.set(name, { why, explained: true });
  return { ...set, plan: { ...plan, criteria: plan.criteria.filter((one) => !unfit.includes(one)) } };
}

function noneLeft(leftOut: ReadonlyMap<string, LeftOut>): CriteriaError {
  const reasons = [...leftOut].map(([name, { why }]) => `${name}: ${why}`).join('; ');
  const message = `none of the recorded metrics can be judged here (${reasons}); name criteria with --config-file-path`;
  return new CriteriaError({ code: 'EMPTY', message });
}
