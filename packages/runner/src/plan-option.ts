import { checkOptions, type Plan } from '@agent-criteria/core/host';
import { type HowToPlan, planSetOptions, setOptionNames, type UnplannedSet } from './set-options.ts';

/** An eval set and its config, resolved: `resolveEvalConfig` of `@agent-criteria/core/host` makes one. */
export interface PlanOption {
  readonly plan: Plan;
}

/** The plan that options hold, or that of the set and the config that they hold. */
export async function planOf(options: PlanOption | UnplannedSet, how: HowToPlan): Promise<PlanOption> {
  return 'plan' in options ? options : planSetOptions(options, how);
}

/** Refuses unknown options, of a plan or of a set. @param settings The other options. */
export function checkPlanOptions(options: object, settings: Readonly<Record<string, true>>): void {
  checkOptions(options, 'plan' in options ? { plan: true, ...settings } : { ...setOptionNames, ...settings });
}
