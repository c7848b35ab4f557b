import { CriteriaError, type EvalCase, type EvalSet, type Problem } from '@agent-criteria/core';
import type { Plan } from '@agent-criteria/core/host';
import type { CaseSelection } from '@agent-criteria/results';
import { type OpenedRun, reuseSetIds } from '@agent-criteria/runner';
import type { ProblemCollection } from '../files/collect-problems.ts';
import { loadEvalSet } from '../files/load-eval-set.ts';
import { pathExists } from '../files/path-kind.ts';
import { type Candidates, conditionsOf, fittingCases, selectedBy, withIds } from './case-filter.ts';
import type { CaseChoice } from './choose-cases.ts';
import { type PlanOptions, type PreparedSet, planSet } from './plan-sets.ts';

type RecordedSet = OpenedRun['plan']['sets'][number];

export interface Again {
  /**
   * Whether plans must be the same as before, because the run continues. Otherwise, they follow the current files,
   * without new cases.
   */
  readonly same: boolean;
  /** Only these cases, by set, or `undefined` for all. */
  readonly chosen: ReadonlyMap<string, readonly string[]> | undefined;
  /** The file of a config that applies to all sets. */
  readonly config: string | undefined;
}

/** Reads and resolves the eval sets of a run again. Adds mistakes to `found`. */
export async function planRecordedSets(
  opened: OpenedRun,
  again: Again,
  options: Omit<PlanOptions, 'config'>,
  found: ProblemCollection,
): Promise<PreparedSet[]> {
  const planned: PreparedSet[] = [];
  for (const recorded of opened.plan.sets) {
    const { chosen } = again;
    const cases = chosen?.get(recorded.id) ?? recordedCases(opened, recorded).map(({ evalId }) => evalId);
    if (cases.length === 0) continue;
    const configFile = opened.scoringPlan?.sets.find(({ id }) => id === recorded.id)?.configFile ?? undefined;
    const config = again.config ?? configFile ?? (recorded.file === null ? keptConfig(opened, recorded.id) : undefined);
    const set = await found.attempt(() =>
      planOne(opened, recorded, { same: again.same, cases }, { ...options, config }),
    );
    if (set) planned.push(set);
  }
  return reuseSetIds(opened.plan.sets, planned);
}

/**
 * Chooses cases of a run, by set, using the tags in the current files.
 * @throws CriteriaError UNKNOWN_CASE if the run has none of them.
 */
export async function chooseRecordedCases(
  opened: OpenedRun,
  { ids, filter, failed }: CaseChoice,
): Promise<{ readonly cases: ReadonlyMap<string, readonly string[]>; readonly selection: CaseSelection } | undefined> {
  const conditions = conditionsOf(filter, failed);
  if (ids.length + conditions.length === 0) return undefined;
  const all: Candidates[] = [];
  for (const recorded of opened.plan.sets) {
    const cases = await todaysCases(recordedCases(opened, recorded), recorded.file);
    all.push({ setId: recorded.id, file: recorded.file, cases });
  }
  const named = all.map((set) => ({ ...set, cases: withIds(set.cases, ids) }));
  if (named.every(({ cases }) => cases.length === 0)) {
    const message = `the run has none of these cases: ${ids.join(', ')}`;
    throw new CriteriaError({ code: 'UNKNOWN_CASE', file: opened.folder, message });
  }
  const fitting = fittingCases(named, filter, conditions);
  const { selection } = opened.plan;
  const failedIn = [...new Set([...(selection?.failedIn ?? []), ...(failed?.ids ?? [])])];
  const count = all.reduce((sum, { cases }) => sum + cases.length, 0);
  return {
    cases: new Map(all.map(({ setId }, index) => [setId, fitting[index] ?? []])),
    selection: {
      of: selection?.of ?? count,
      by: [...(selection?.by ?? []), ...selectedBy(ids, conditions)],
      ...(failedIn.length > 0 && { failedIn }),
    },
  };
}

/** Reads the current cases from the file, where their tags may have changed. */
async function todaysCases(recorded: readonly EvalCase[], file: string | null): Promise<readonly EvalCase[]> {
  if (file === null || !(await pathExists(file))) return recorded;
  const today = new Map((await loadEvalSet(file)).value.evalCases.map((evalCase) => [evalCase.evalId, evalCase]));
  return recorded.map((evalCase) => today.get(evalCase.evalId) ?? evalCase);
}

async function planOne(
  opened: OpenedRun,
  recorded: RecordedSet,
  { same, cases }: { readonly same: boolean; readonly cases: readonly string[] },
  options: PlanOptions,
): Promise<PreparedSet> {
  const { file } = recorded;
  if (file === null || (!same && !(await pathExists(file)))) {
    const message = 'the file of this eval set no longer exists: the copy saved in the run is scored';
    const gone: Problem[] = file === null ? [] : [{ code: 'FILE_NOT_FOUND', file, message }];
    const plan = await planSet(recordedSet(opened, recorded), cases, { folder: '.', ...options });
    return { ...plan, file, warnings: [...gone, ...plan.warnings] };
  }
  if (same) {
    if (!(await pathExists(file))) throw notHere(file);
    const planned = await planSet(file, cases, options);
    return { ...planned, plan: withoutNewDefaults(planned.plan, opened, recorded.id), file };
  }
  const today = (await loadEvalSet(file)).value.evalCases.map(({ evalId }) => evalId);
  const left = cases.filter((id) => !today.includes(id));
  // If all the cases are gone, planning reports them as unknown.
  const kept = left.length === cases.length ? cases : cases.filter((id) => today.includes(id));
  const plan = await planSet(file, kept, options);
  return { ...plan, file, warnings: [...plan.warnings, ...goneCases(left, file)] };
}

/** Returns the config that judged a set without a file, or `undefined` if it was never judged. */
function keptConfig({ scoringPlan }: OpenedRun, setId: string): unknown {
  const named = scoringPlan?.sets
    .find(({ id }) => id === setId)
    ?.criteria.filter(({ byDefault }) => byDefault !== true);
  if (named === undefined) return undefined;
  const measure = named.flatMap(({ name, decides }) => (decides ? [] : [name]));
  return {
    criteria: Object.fromEntries(named.flatMap(({ name, decides, written }) => (decides ? [[name, written]] : []))),
    ...(measure.length === 0 ? {} : { agent_criteria: { measure } }),
  };
}

/** Removes criteria that are now measured by default but were not when the run started. */
function withoutNewDefaults(plan: Plan, { scoringPlan }: OpenedRun, setId: string): Plan {
  const before = scoringPlan?.sets.find(({ id }) => id === setId)?.criteria;
  if (before === undefined) return plan;
  const wasMeasured = (name: string) => before.some((criterion) => criterion.name === name);
  return { ...plan, criteria: plan.criteria.filter(({ name, byDefault }) => byDefault !== true || wasMeasured(name)) };
}

function notHere(file: string): CriteriaError {
  const message =
    'the eval set of the run was not found; its path is relative to the folder where the run was started: run the command there';
  return new CriteriaError({ code: 'FILE_NOT_FOUND', file, message });
}

function goneCases(ids: readonly string[], file: string): Problem[] {
  if (ids.length === 0) return [];
  const shown = ids.slice(0, 5).join(', ') + (ids.length > 5 ? `, and ${ids.length - 5} more` : '');
  return [{ code: 'UNKNOWN_CASE', file, message: `cases of the run that are no longer in this file: ${shown}` }];
}

/** Restores a set as it was at the time of the run, except for redacted content. */
function recordedSet(opened: OpenedRun, recorded: RecordedSet): EvalSet {
  const [head = '{}'] = opened.text(recorded.content).split('\n', 1);
  return { ...(JSON.parse(head) as Omit<EvalSet, 'evalCases'>), evalCases: recordedCases(opened, recorded) };
}

function recordedCases(opened: OpenedRun, { content }: RecordedSet): EvalCase[] {
  const [, ...lines] = opened.text(content).split('\n');
  return lines.map((line) => JSON.parse(line) as EvalCase);
}
