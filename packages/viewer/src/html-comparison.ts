import { type RunWithTexts, withCallTexts } from './call-texts.ts';
import { COMPARISON_ID, type ComparedPage, type ComparedRuns, comparedBlockId } from './compared-runs.ts';
import { dataBlock, PAGE_END, pageHead } from './page-frame.ts';

export interface HtmlComparisonOptions {
  /** The names of the runs, as shown on the page. */
  readonly names: { readonly base: string; readonly candidate: string };
  /** Default: the names of both runs. */
  readonly title?: string | undefined;
}

/**
 * Generates a self-contained HTML file that compares two runs, as `htmlReport` does for one run: the changes, and all
 * cases with their conversations. The pieces must be written in order. Each run's cases are read once.
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
  // The app comes first, so that a long file shows its cases while it is still loading.
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
