import { createHash } from 'node:crypto';
import type { StatisticsFacts } from '@agent-criteria/analysis';
import { addUsage, type TotalUsage, totalUsageOf } from '@agent-criteria/results';
import { type RunWithTexts, withCallTexts } from './call-texts.ts';
import { caseRow } from './case-row.ts';
import { certaintyOf } from './certainty.ts';
import { inertJson, inertText } from './inert.ts';
import { caseBlockId, INDEX_ID, LICENCES_ID } from './page-data.ts';
import { titleOf } from './title-of.ts';

export interface HtmlReportOptions {
  /** What the page is called. Default: the sets and the name of the agent. */
  readonly title?: string | undefined;
  /** What the record does not say of the run and its judges. Default: nothing. */
  readonly facts?: StatisticsFacts | undefined;
}

/**
 * A run as one HTML file that needs nothing else: it opens offline, makes no request and runs no code but its own,
 * whatever an agent has answered. Pieces come in order, to be written as they come; no more than one case is held.
 * The cases of the run are read twice: first for the index, then for their details. What calls asked and were answered is
 * in the page where the run has kept it, up to 20 million characters.
 */
export async function* htmlReport(
  run: RunWithTexts,
  options: HtmlReportOptions = {},
): AsyncGenerator<string, void, void> {
  const { bundleApp } = await import('./bundle-app.ts');
  const { script, style, licences } = await bundleApp();
  const { info, sets, summary, warnings } = run;
  const title = options.title ?? titleOf(run);
  const policy = [
    "default-src 'none'",
    `script-src '${hashOf(script)}'`,
    `style-src '${hashOf(style)}'`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
  yield `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<title>${inertText(title)}</title>
<style>${style}</style>
</head>
<body>
<div id="app"><noscript><p>This report is a small program: it needs JavaScript, and nothing from the network.</p></noscript></div>
`;
  yield `<script type="application/json" id="${LICENCES_ID}">${inertJson(licences)}</script>\n`;
  const head = inertJson({ title, info, sets, summary, warnings });
  yield `<script type="application/json" id="${INDEX_ID}">${head.slice(0, -1)},"cases":[`;
  const places = new Map(sets.map(({ id }, place) => [id, place]));
  const variants = new Map(info.variants?.map(({ name }, place) => [name, place]));
  let between = '\n';
  let usage: TotalUsage = {};
  const certainty = certaintyOf(run, options.facts);
  for await (const one of run.cases()) {
    usage = addUsage(usage, totalUsageOf(one));
    certainty.add(one);
    const variant = one.variant === undefined ? undefined : variants.get(one.variant);
    yield `${between}${inertJson(caseRow(one, places.get(one.setId) ?? 0, variant))}`;
    between = ',\n';
  }
  // The app comes before the details, so that a long file shows its grid while the rest is being read.
  yield `],"usage":${inertJson(usage)},"certainty":${inertJson(certainty.list())}}</script>\n<script>${script}</script>\n`;
  let place = 0;
  const withTexts = withCallTexts(run);
  for await (const one of run.cases()) {
    yield `<script type="application/json" id="${caseBlockId(place)}">${inertJson(withTexts(one))}</script>\n`;
    place += 1;
  }
  yield '</body>\n</html>\n';
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
