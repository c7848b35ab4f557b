import type { OpenedRun } from '@agent-criteria/project';
import { addUsage, type RunUsage, usageOf } from '@agent-criteria/results';
import { caseRow, type PageIndex, titleOf } from '@agent-criteria/viewer';

/** How many runs are remembered. */
const MOST = 4;
const remembered = new Map<string, Promise<Pick<PageIndex, 'cases' | 'usage'>>>();

/** A run as its page needs it before a case is opened. It is read once as long as nothing is added to it. */
export async function runPage(run: OpenedRun): Promise<PageIndex> {
  const { folder, info, sets, summary, warnings } = run;
  const key = [folder, info.scoring, info.units.finished, info.endedAt].join('\n');
  const found = remembered.get(key) ?? readRows(run);
  remembered.delete(key);
  remembered.set(key, found);
  for (const oldest of remembered.keys()) {
    if (remembered.size <= MOST) break;
    remembered.delete(oldest);
  }
  found.catch(() => remembered.delete(key));
  return { title: titleOf(run), info, sets, summary, warnings, ...(await found) };
}

async function readRows(run: OpenedRun): Promise<Pick<PageIndex, 'cases' | 'usage'>> {
  const places = new Map(run.sets.map(({ id }, place) => [id, place]));
  const variants = new Map(run.info.variants?.map(({ name }, place) => [name, place]));
  const cases: ReturnType<typeof caseRow>[] = [];
  let usage: RunUsage = {};
  for await (const one of run.cases()) {
    usage = addUsage(usage, usageOf(one));
    cases.push(
      caseRow(one, places.get(one.setId) ?? 0, one.variant === undefined ? undefined : variants.get(one.variant)),
    );
  }
  return { cases, usage };
}
