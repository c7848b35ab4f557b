import { tagsOf } from '@agent-criteria/core/host';
import type { OpenedRun } from '@agent-criteria/project';
import type { CaseRow } from '../api.ts';

/** How many runs are remembered. */
const MOST = 10;
const remembered = new Map<string, Promise<readonly CaseRow[]>>();

/** The rows of a run's grid, in the order of its cases. A run is read once as long as nothing is added to it. */
export function runRows(run: OpenedRun): Promise<readonly CaseRow[]> {
  const { folder, info } = run;
  const key = [folder, info.scoring, info.units.finished, info.endedAt].join('\n');
  const found = remembered.get(key) ?? readRows(run);
  remembered.delete(key);
  remembered.set(key, found);
  for (const oldest of remembered.keys()) {
    if (remembered.size <= MOST) break;
    remembered.delete(oldest);
  }
  found.catch(() => remembered.delete(key));
  return found;
}

async function readRows(run: OpenedRun): Promise<readonly CaseRow[]> {
  const rows: CaseRow[] = [];
  for await (const { setId, variant, evalCase, result, inferences } of run.cases()) {
    const { name } = evalCase as { readonly name?: unknown };
    rows.push({
      setId,
      caseId: evalCase.evalId,
      ...(variant === undefined ? {} : { variant }),
      name: typeof name === 'string' ? name : null,
      tags: tagsOf(evalCase),
      verdict: result.verdict,
      ...(result.reason === undefined ? {} : { reason: result.reason }),
      repeats: inferences.length,
      criteria: result.criteria.map(({ name: criterion, verdict, score, threshold, coverage }) => {
        return { name: criterion, verdict, score, threshold, coverage };
      }),
    });
  }
  return rows;
}
