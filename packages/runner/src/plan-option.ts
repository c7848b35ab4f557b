import { checkOptions, type Plan } from '@agent-criteria/core/host';
import { type HowToPlan, planSetOptions, requiredOfSet, setOptionNames, type UnplannedSet } from './set-options.ts';

/** An eval set and its config, resolved: `resolveEvalConfig` of `@agent-criteria/core/host` makes one. */
export interface PlanOption {
  readonly plan: Plan;
}

/** The plan that options hold, or that of the set and the config that they hold. */
export async function planOf(options: PlanOption | UnplannedSet, how: HowToPlan): Promise<PlanOption> {
  return 'plan' in options ? options : planSetOptions(options, how);
}

/** Refuses unknown options, of a plan or of a set, and missing ones. @param settings The other options. @param required Of those. */
export function checkPlanOptions(
  options: object,
  settings: Readonly<Record<string, true>>,
  required: Readonly<Record<string, string>> = {},
): void {
  const hasPlan = typeof options === 'object' && options !== null && 'plan' in options;
  if (hasPlan) checkOptions(options, { plan: true, ...settings }, required);
  else checkOptions(options, { ...setOptionNames, ...settings }, { ...requiredOfSet, ...required });
}
