import { type RunWithTexts, withCallTexts } from './call-texts.ts';
import { COMPARISON_ID, type ComparedPage, type ComparedRuns, comparedBlockId } from './compared-runs.ts';
import { dataBlock, PAGE_END, pageHead } from './page-frame.ts';

export interface HtmlComparisonOptions {
  /** What the page calls the runs. */
  readonly names: { readonly base: string; readonly candidate: string };
  /** Default: the names of both. */
  readonly title?: string | undefined;
}

/**
 * Two runs side by side as one HTML file that needs nothing else, as `htmlReport` has one run: what changed, and every case of both
 * with its conversations. Pieces come in order, to be written as they come; the cases of either run are read once.
 */
export async function* htmlComparison(
  runs: ComparedRuns,
  records: { readonly base: RunWithTexts; readonly candidate: RunWithTexts },
  options: HtmlComparisonOptions,
): AsyncGenerator<string, void, void> {
  const { names, title = `${names.candidate} compared with ${names.base}` } = options;
  const { bundleApp } = await import('./bundle-app.ts');
  const code = await bundleApp('comparison');
  yield pageHead(title, code);
  yield dataBlock(COMPARISON_ID, { title, names, runs } satisfies ComparedPage);
  // The app comes before the details, so that a long file shows its cases while the rest is being read.
  yield `<script>${code.script}</script>\n`;
  const places = new Map(runs.cases.map(({ setId, caseId }, place) => [JSON.stringify([setId, caseId]), place]));
  for (const side of ['base', 'candidate'] as const) {
    const { variant } = runs.comparison[side];
    const withTexts = withCallTexts(records[side]);
    for await (const one of records[side].cases()) {
      const place = places.get(JSON.stringify([one.setId, one.evalCase.evalId]));
      if (place === undefined || (variant !== undefined && one.variant !== variant)) continue;
      yield dataBlock(comparedBlockId(side, place), withTexts(one));
    }
  }
  yield PAGE_END;
}
