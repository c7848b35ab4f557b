import type { CaseResult } from '@agent-criteria/core/host';
import type { RunCase, RunRecord } from '@agent-criteria/results';
import { type Comparison, compareRecorded } from '@agent-criteria/results/adk';
import { score } from '@agent-criteria/runner';
import { planSet } from '../../plan/plan-sets.ts';
import { makesCalls } from '../../plan/planned-models.ts';
import type { PreparedRun } from '../prepared-run.ts';
import type { RecordedScores } from './read-recorded-result.ts';

/** Compares recorded scores with those of the run that judged them again. Calls no models. */
export async function compareRecordedScores(
  { sets, project }: PreparedRun,
  { result, folder, leftOut, otherConfig }: RecordedScores,
  run: RunRecord,
): Promise<Comparison> {
  const cases = new Map<string, RunCase>();
  for await (const one of run.cases()) cases.set(one.evalCase.evalId, one);
  const [set] = sets;
  const planned = set?.plan.criteria ?? [];
  const sampled = new Set(planned.flatMap((one) => (set && makesCalls({ criteria: [one] }) ? [one.name] : [])));
  const asAdk = new Map<string, CaseResult>();
  if (set !== undefined && set.plan.compat !== 'adk') {
    const config = set.configFile ?? set.plan.config ?? undefined;
    const ids = [...cases.keys()];
    const { plan } = await planSet(set.plan.evalSet, ids, {
      config,
      project,
      compat: 'adk',
      folder,
      only: 'scores',
    });
    const free = plan.criteria.filter(
      (one) => !makesCalls({ criteria: [one] }) && planned.some(({ name }) => name === one.name),
    );
    const all = await score({ plan: { ...plan, criteria: free }, inferences: result.inferences });
    for (const one of all) asAdk.set(one.caseId, one);
  }
  const criteria = run.sets.flatMap((one) => one.criteria);
  return compareRecorded(result, cases, { criteria, leftOut, sampled, otherConfig, asAdk });
}
