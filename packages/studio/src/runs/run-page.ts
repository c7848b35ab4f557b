import { collectStatistics, type MeasuredFile } from '@agent-criteria/analysis';
import { statisticsSections } from '@agent-criteria/analysis/text';
import { tagsOf } from '@agent-criteria/formats';
import { usedBy } from '@agent-criteria/project/runs';
import { addUsage, type RunUsage, usageOf } from '@agent-criteria/results';
import { shownOutcome } from '@agent-criteria/results/text';
import type { OpenedRun } from '@agent-criteria/runner';
import { caseRow, type PageIndex, titleOf } from '@agent-criteria/viewer';
import type { CaseRow } from '../api.ts';

/** The index of a run's page, with statistics of its judges. */
export type ReadPage = (measured: readonly MeasuredFile[]) => PageIndex;

export async function readPage(run: OpenedRun): Promise<ReadPage> {
  const { info, sets, summary, warnings } = run;
  const places = new Map(run.sets.map(({ id }, place) => [id, place]));
  const variants = new Map(run.info.variants?.map(({ name }, place) => [name, place]));
  const cases: ReturnType<typeof caseRow>[] = [];
  let usage: RunUsage = {};
  const statistics = collectStatistics(run, { used: usedBy(run) });
  for await (const one of run.cases()) {
    usage = addUsage(usage, usageOf(one));
    statistics.add(one);
    cases.push(
      caseRow(one, places.get(one.setId) ?? 0, one.variant === undefined ? undefined : variants.get(one.variant)),
    );
  }
  const outcome = run.outcome && shownOutcome(run);
  const page = { title: titleOf(run), info, sets, summary, outcome, warnings, cases, usage };
  return (measured) => ({ ...page, certainty: statisticsSections(statistics.list(measured)) });
}

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
