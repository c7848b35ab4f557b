import { collectStatistics, type MeasuredFile } from '@agent-criteria/analysis';
import { statisticsSections } from '@agent-criteria/analysis/text';
import { usedBy } from '@agent-criteria/project/runs';
import { addUsage, type RunUsage, usageOf } from '@agent-criteria/results';
import { shownOutcome } from '@agent-criteria/results/text';
import type { OpenedRun } from '@agent-criteria/runner';
import { caseRow, type PageIndex, titleOf } from '@agent-criteria/viewer';

/** A run as its page needs it before a case is opened, with what is known of its judges at the time. */
export type ReadPage = (measured: readonly MeasuredFile[]) => PageIndex;

/** Reads a run whole. */
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
