import type { Problem } from '@agent-criteria/core';
import type { CallPolicies, Plan } from '@agent-criteria/core/host';
import type { CallOptions } from '../config/call-settings.ts';
import type { LoadedProjectConfig } from '../config/project-config.ts';
import { loadPolicies } from './load-policies.ts';

/** What stands before the calls of a run that somebody starts from files and names. */
export interface PolicySource {
  /** The caller's own, who closes them. */
  readonly policies?: CallPolicies | undefined;
  readonly project?: LoadedProjectConfig | undefined;
  readonly calls?: CallOptions | undefined;
}

/** Works under the caller's policies, or under the project's, which are closed afterwards; adds what they have to tell. */
export async function withPolicies<Outcome extends { readonly warnings: readonly Problem[] }>(
  plans: readonly Plan[],
  { policies, project, calls }: PolicySource,
  work: (policies: CallPolicies | undefined) => Promise<Outcome>,
): Promise<Outcome> {
  if (policies !== undefined) return work(policies);
  const own = await loadPolicies(plans, project, calls);
  let told: readonly Problem[] = [];
  let outcome: Outcome;
  try {
    outcome = await work(own);
  } finally {
    told = (await own?.close()) ?? [];
  }
  return told.length === 0 ? outcome : { ...outcome, warnings: [...outcome.warnings, ...told] };
}
