import { CriteriaError, type Plugin, type Problem } from '@agent-criteria/core';
import { type Plan, pluginsOf, summarise } from '@agent-criteria/core/host';
import { runSet } from '@agent-criteria/results';
import { configSource } from '@agent-criteria/results/text';
import type { Project } from '../config/open-project.ts';
import type { ProblemCollection } from '../files/collect-problems.ts';
import { shellWord } from '../files/shell-word.ts';
import { planSet } from '../plan/plan-sets.ts';

/** An eval set that can run. */
export interface CheckedSet {
  readonly file: string;
  readonly config: string | null;
  /** The source of its criteria, as a run prints it, or `null` if the project's config contains them. */
  readonly configSource: string | null;
  readonly cases: number;
  readonly criteria: readonly { readonly name: string; readonly package: string; readonly version: string }[];
}

/** The result of planning eval sets. */
export interface PlannedSets {
  readonly sets: readonly CheckedSet[];
  /** All plans, including those of sets that lack only the key of a model. */
  readonly plans: readonly Plan[];
  readonly plugins: readonly Plugin[];
  readonly warnings: readonly Problem[];
}

/** Codes of problems that editing files cannot fix: a missing key, package or model. */
const OF_ENVIRONMENT: ReadonlySet<string> = new Set([
  'MISSING_ENVIRONMENT',
  'INVALID_PLUGIN',
  'DUPLICATE_PLUGIN',
  'UNKNOWN_CRITERION',
  'UNKNOWN_MODEL',
  'UNKNOWN_SIMULATOR',
]);

/**
 * Plans every set as a run would. Adds to `found` the problems of the environment and, for each set with mistakes, one
 * problem that refers to `validate`.
 */
export async function checkSets(
  files: readonly string[],
  project: Project,
  found: ProblemCollection,
): Promise<PlannedSets> {
  const sets: CheckedSet[] = [];
  const plans: Plan[] = [];
  const plugins: Plugin[] = [];
  const warnings: Problem[] = [];
  for (const file of files) {
    const planned = await found.attempt(() => pointingToValidate(file, () => planSet(file, [], { project })));
    if (planned === undefined) {
      // Models without a key are also listed.
      const unreached = await planSet(file, [], { project, modelsRecorded: true }).catch(() => null);
      if (unreached !== null) plans.push(unreached.plan);
      continue;
    }
    plans.push(planned.plan);
    plugins.push(...pluginsOf(planned.registry));
    warnings.push(...planned.warnings);
    sets.push({
      file,
      config: planned.configFile,
      configSource: configSource(runSet(planned.plan, { file, configFile: planned.configFile }, summarise([]))),
      cases: planned.plan.evalSet.evalCases.length,
      criteria: planned.plan.criteria
        .filter(({ byDefault }) => byDefault !== true)
        .map(({ name, criterion }) => ({ name, ...criterion.origin })),
    });
  }
  return { sets, plans, plugins, warnings };
}

async function pointingToValidate<T>(file: string, plan: () => Promise<T>): Promise<T> {
  try {
    return await plan();
  } catch (error) {
    if (!CriteriaError.is(error)) throw error;
    const [first] = error.problems.filter(({ code }) => !OF_ENVIRONMENT.has(code));
    if (first === undefined) throw error;
    const message = `this eval set or its config has mistakes: agent-criteria validate ${shellWord(file)} lists them`;
    const own = error.problems.filter(({ code }) => OF_ENVIRONMENT.has(code));
    throw new CriteriaError([...own, { code: first.code, file, message }], { cause: error });
  }
}
