import type { Plugin, Problem } from '@agent-criteria/core';
import { type Plan, pluginsOf, summarise } from '@agent-criteria/core/host';
import { runSet } from '@agent-criteria/results';
import { configSource } from '@agent-criteria/results/text';
import type { Project } from '../config/open-project.ts';
import type { ProblemCollection } from '../files/collect-problems.ts';
import { planSet } from '../plan/plan-sets.ts';

/** An eval set that can be run. */
export interface CheckedSet {
  readonly file: string;
  readonly config: string | null;
  /** Where its criteria come from, as a run prints it; `null`: from the project's config, which holds them itself. */
  readonly configSource: string | null;
  readonly cases: number;
  readonly criteria: readonly { readonly name: string; readonly package: string; readonly version: string }[];
}

/** What eval sets come to. */
export interface PlannedSets {
  readonly sets: readonly CheckedSet[];
  /** Those, too, of sets that only lack the key of a model. */
  readonly plans: readonly Plan[];
  readonly plugins: readonly Plugin[];
  readonly warnings: readonly Problem[];
}

/** Plans every set as a run would; the mistakes of all of them go to `found`. */
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
    const planned = await found.attempt(() => planSet(file, [], { project }));
    if (planned === undefined) {
      // A model without a key is told by name all the same.
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
