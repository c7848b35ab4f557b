import type { OpenedRun } from '@agent-criteria/project';
import { addUsage, type RunUsage, usageOf } from '@agent-criteria/results';
import { caseRow, certaintyOf, type PageIndex, titleOf } from '@agent-criteria/viewer';

/** A run as its page needs it before a case is opened. Reads it whole. */
export async function runPage(run: OpenedRun): Promise<PageIndex> {
  const { info, sets, summary, warnings } = run;
  return { title: titleOf(run), info, sets, summary, warnings, ...(await readRows(run)) };
}

async function readRows(run: OpenedRun): Promise<Pick<PageIndex, 'cases' | 'usage' | 'certainty'>> {
  const places = new Map(run.sets.map(({ id }, place) => [id, place]));
  const variants = new Map(run.info.variants?.map(({ name }, place) => [name, place]));
  const cases: ReturnType<typeof caseRow>[] = [];
  let usage: RunUsage = {};
  const certainty = certaintyOf(run);
  for await (const one of run.cases()) {
    usage = addUsage(usage, usageOf(one));
    certainty.add(one);
    cases.push(
      caseRow(one, places.get(one.setId) ?? 0, one.variant === undefined ? undefined : variants.get(one.variant)),
    );
  }
  return { cases, usage, certainty: certainty.list() };
}
