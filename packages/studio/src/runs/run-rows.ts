import { tagsOf } from '@agent-criteria/formats';
import type { OpenedRun } from '@agent-criteria/runner';
import type { CaseRow } from '../api.ts';

/** The rows of a run's grid, in the order of its cases. */
export async function runRows(run: OpenedRun): Promise<readonly CaseRow[]> {
  const rows: CaseRow[] = [];
  for await (const { setId, variant, evalCase, result, inferred } of run.heads()) {
    const { name } = evalCase as { readonly name?: unknown };
    rows.push({
      setId,
      caseId: evalCase.evalId,
      ...(variant === undefined ? {} : { variant }),
      name: typeof name === 'string' ? name : null,
      tags: tagsOf(evalCase),
      verdict: result.verdict,
      ...(result.reason === undefined ? {} : { reason: result.reason }),
      repeats: inferred,
      criteria: result.criteria.map(({ name: criterion, verdict, score, threshold, coverage }) => {
        return { name: criterion, verdict, score, threshold, coverage };
      }),
    });
  }
  return rows;
}
