import type { StatisticsFacts } from '@agent-criteria/analysis';
import { addUsage, type TotalUsage, totalUsageOf } from '@agent-criteria/results';
import { shownOutcome } from '@agent-criteria/results/text';
import { type RunWithTexts, withCallTexts } from './call-texts.ts';
import { caseRow } from './case-row.ts';
import { inertJson } from './inert.ts';
import { caseBlockId, INDEX_ID } from './page-data.ts';
import { dataBlock, PAGE_END, pageHead } from './page-frame.ts';
import { titleOf } from './title-of.ts';

export interface HtmlReportOptions {
  /** Default: the sets and the name of the agent. */
  readonly title?: string | undefined;
  /** Facts about the run and its judges that the record does not contain. Default: none. */
  readonly facts?: StatisticsFacts | undefined;
}

/**
 * Generates a self-contained HTML file for a run. It works offline, makes no requests, and runs no code but its own,
 * whatever an agent has answered. The pieces must be written in order; at most one case is in memory at a time. Cases
 * are read twice: first for the index, then for their details. Recorded prompts and answers are included, up to a total
 * of 20 million characters.
 */
export async function* htmlReport(
  run: RunWithTexts,
  options: HtmlReportOptions = {},
): AsyncGenerator<string, void, void> {
  const { collectStatistics } = await import('@agent-criteria/analysis');
  const { statisticsSections } = await import('@agent-criteria/analysis/text');
  const { bundleApp } = await import('./bundle-app.ts');
  const code = await bundleApp('run');
  const { info, sets, summary, warnings } = run;
  const outcome = run.outcome === undefined ? undefined : shownOutcome(run);
  const title = options.title ?? titleOf(run);
  yield pageHead(title, code);
  const head = inertJson({ title, info, sets, summary, outcome, warnings });
  yield `<script type="application/json" id="${INDEX_ID}">${head.slice(0, -1)},"cases":[`;
  const places = new Map(sets.map(({ id }, place) => [id, place]));
  const variants = new Map(info.variants?.map(({ name }, place) => [name, place]));
  let between = '\n';
  let usage: TotalUsage = {};
  const statistics = collectStatistics(run, options.facts);
  for await (const one of run.cases()) {
    usage = addUsage(usage, totalUsageOf(one));
    statistics.add(one);
    const variant = one.variant === undefined ? undefined : variants.get(one.variant);
    yield `${between}${inertJson(caseRow(one, places.get(one.setId) ?? 0, variant))}`;
    between = ',\n';
  }
  // The app comes first, so that a long file shows its grid while it is still loading.
  yield `],"usage":${inertJson(usage)},"certainty":${inertJson(statisticsSections(statistics.list()))}}</script>\n<script>${code.script}</script>\n`;
  let place = 0;
  const withTexts = withCallTexts(run);
  for await (const one of run.cases()) {
    yield dataBlock(caseBlockId(place), withTexts(one));
    place += 1;
  }
  yield PAGE_END;
}
